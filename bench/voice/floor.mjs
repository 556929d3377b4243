// The least that an agent can be: what the model asks for is done by hand, unchecked, unasked, unrecorded.
import { spawn } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { Agent, request } from 'node:http';
import { join } from 'node:path';

const [url = '', workspace = ''] = process.argv.slice(2);
const agent = new Agent({ keepAlive: true });

/** @type {{ [name: string]: (args: any) => Promise<string> }} */
const TOOLS = {
  read_file: ({ file_path }) => readFile(join(workspace, file_path), 'utf8'),
  run_shell_command: ({ command }) =>
    new Promise((resolve) => {
      const child = spawn('bash', ['-c', command], { cwd: workspace, stdio: ['ignore', 'pipe', 'inherit'] });
      let output = '';
      child.stdout.setEncoding('utf8').on('data', (chunk) => {
        output += chunk;
      });
      child.on('close', () => resolve(output));
    }),
  replace: async ({ file_path, old_string, new_string }) => {
    const file = join(workspace, file_path);
    await writeFile(file, (await readFile(file, 'utf8')).replace(old_string, new_string));
    return 'edited';
  },
};

/** @type {object[]} */
const contents = [{ role: 'user', parts: [{ text: 'Do it.' }] }];
for (;;) {
  const content = await ask();
  contents.push(content);
  const { functionCall } = content.parts[0];
  if (!functionCall) break;
  const { name, args } = functionCall;
  const output = await TOOLS[name]?.(args);
  contents.push({ role: 'user', parts: [{ functionResponse: { name, response: { output } } }] });
}
process.exit();

/** @returns {Promise<{ parts: any[] }>} */
function ask() {
  return new Promise((resolve, reject) => {
    const body = JSON.stringify({ contents });
    const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };
    const sent = request(url, { method: 'POST', agent, headers }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk) => {
        text += chunk;
      });
      response.on('end', () => resolve(JSON.parse(text.slice('data: '.length)).candidates[0].content));
    });
    sent.on('error', reject).end(body);
  });
}
