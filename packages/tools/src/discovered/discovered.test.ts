import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import type { Tool } from '@countersign/engine';
import { orNull } from '@countersign/host';
import { failureOf, type TemporaryWorkspace, temporaryWorkspace } from '@countersign/host/testing';
import { explain, type JsonObject, ToolFailure } from '@countersign/protocol';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { carryOut } from '../testing/carry-out.js';
import { type Discovery, type DiscoveryOptions, discoverTools } from './discover-tools.js';

let place: TemporaryWorkspace;
beforeEach(() => {
  place = temporaryWorkspace();
});
afterEach(() => place.remove());

const ECHO = {
  name: 'echo',
  description: 'Says it again.',
  parametersJsonSchema: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] },
};

/** Understands of schemas what these tests need: which arguments are required. */
const schemas: DiscoveryOptions['schemas'] = {
  normal: (schema) => {
    if ('broken' in schema) throw new Error('it is broken');
    return schema;
  },
  problemOf: ({ required }, args) => {
    const names = Array.isArray(required) ? required : [];
    const missing = names.find((name) => !Object.hasOwn(args, String(name)));
    return missing === undefined ? null : `"${missing}" is required`;
  },
};

const program = (name: string, source: string) => {
  place.put(name, source);
  return `${process.execPath} ${name}`;
};
const discover = (options: Partial<DiscoveryOptions>): Promise<Discovery> =>
  discoverTools({
    discoveryCommand: 'true',
    callCommand: 'true',
    workspace: place.workspace,
    env: process.env,
    schemas,
    isTaken: () => false,
    ...options,
  });
const listing = (declarations: unknown) =>
  program('list.cjs', `console.log(${JSON.stringify(JSON.stringify(declarations))})`);

async function toolsOf(declarations: unknown, options: Partial<DiscoveryOptions> = {}) {
  const discovery = await discover({ discoveryCommand: listing(declarations), ...options });
  if (!discovery.ok) throw new Error(explain(discovery.failure).message);
  return discovery;
}

/** The tool `echo`, carried out by this source. */
async function echoBy(source: string, options: Partial<DiscoveryOptions> = {}): Promise<Tool> {
  const { tools } = await toolsOf([ECHO], { callCommand: program('call.cjs', source), ...options });
  const [tool] = tools;
  if (tool === undefined) throw new Error('nothing was discovered');
  return tool;
}
const carry = (tool: Tool, args: JsonObject = { text: 'hi' }, signal?: AbortSignal) =>
  carryOut(tool, args, { workspace: place.workspace, ...(signal && { signal }) });

/** Whether any process still has this word among its arguments. */
const runs = (word: string) =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .some(
      (pid) => orNull(() => readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').includes(word)) ?? false,
    );

describe('what a discovery command prints', () => {
  test('is a list of declarations, or of groups of them, and each becomes a tool [T2]', async () => {
    const { tools, problems } = await toolsOf([
      ECHO,
      { functionDeclarations: [{ name: 'one', description: 'First.' }] },
      { function_declarations: [{ name: 'two', parameters: { type: 'OBJECT', properties: {} } }] },
    ]);
    expect(problems).toEqual([]);
    expect(tools).toMatchObject([
      { name: 'echo', kind: 'other', description: 'Says it again.', inputSchema: ECHO.parametersJsonSchema },
      { name: 'one', description: 'First.', inputSchema: { type: 'object', properties: {} } },
      { name: 'two', inputSchema: { type: 'OBJECT', properties: {} } },
    ]);
  });

  test('that cannot be used harms only itself, and is reported [T2]', async () => {
    const { tools, problems } = await toolsOf([
      'echo',
      { description: 'Nameless.' },
      { name: 'two words' },
      { name: 'listed', parameters: ['text'] },
      { name: 'broken', parameters: { broken: true } },
      ECHO,
      { ...ECHO, description: 'Again.' },
    ]);
    expect(tools.map(({ name, description }) => [name, description])).toEqual([['echo', 'Says it again.']]);
    expect(problems).toEqual([
      'entry 1 is not an object',
      'entry 2 has no name',
      'entry 3 has a name that models cannot use: "two words"',
      'entry 4 ("listed") has parameters that are not a JSON Schema',
      'the schema of "broken" cannot be used: it is broken',
      '"echo" is declared more than once',
    ]);
  });

  test('under the name of another tool gets a name of its own [T2]', async () => {
    const taken = new Set(['echo', 'one', 'discovered_tool_one']);
    const { tools, problems } = await toolsOf([ECHO, { name: 'one' }, { name: 'two' }], {
      isTaken: (name) => taken.has(name),
    });
    expect(tools.map(({ name }) => name)).toEqual(['discovered_tool_echo', 'two']);
    expect(problems).toEqual(['other tools already have the names "one" and "discovered_tool_one"']);
    expect(tools[1]?.aliases).toEqual([{ name: 'discovered_tool_two' }]);
  });

  test.each([
    ['echo Usage: list', 'did not print JSON', 'Usage: list'],
    ['true', 'did not print JSON', ''],
    [`echo '{"name":"echo"}'`, 'printed JSON that is not a list', '{"name":"echo"}'],
    ['echo half; echo why >&2; exit 3', 'ended with exit code 3', 'why'],
    ['no-such-program-here', 'ended with exit code 127', expect.stringContaining('not found')],
    ['kill -9 $$', 'was terminated by SIGKILL', ''],
  ])(
    'by %j is a failure that says what happened and what is expected [T2]',
    async (discoveryCommand, problem, printed) => {
      const discovery = await discover({ discoveryCommand });
      expect(discovery).toEqual({
        ok: false,
        failure: { code: 'tool_discovery_failed', command: discoveryCommand, problem, printed },
      });
      if (discovery.ok) throw new Error('it was understood');
      expect(explain(discovery.failure).hint).toContain('a JSON list of function declarations');
    },
  );

  test('is cut in the message, and too much of it ends the command [T2]', async () => {
    const long = await discover({ discoveryCommand: `printf '%2000s' x` });
    expect(long).toMatchObject({
      failure: { printed: expect.stringMatching(/^ {500}… \(2000 characters\)$/) },
    });
    const endless = await discover({ discoveryCommand: 'yes', limits: { outputBytesMax: 100_000 } });
    expect(endless).toMatchObject({ failure: { problem: 'printed more than 97.7 KB and was stopped' } });
  });

  test('too late is not waited for, and nothing is left running [T2] [X3]', async () => {
    const discovery = await discover({
      discoveryCommand: 'sleep 7137 & sleep 7137',
      limits: { discoveryTimeoutMs: 100 },
    });
    expect(discovery).toMatchObject({
      failure: { problem: 'did not finish within 100 ms and was stopped' },
    });
    expect(runs('7137')).toBe(false);
  });
});

describe('a call of a discovered tool', () => {
  test('hands its arguments to the call command as JSON on stdin, and gives back what that prints [T2]', async () => {
    const tool = await echoBy(`
      const args = JSON.parse(require('fs').readFileSync(0, 'utf8'));
      console.log(process.argv[2] + ': ' + args.text);`);
    const { result, draft } = await carry(tool, { text: 'it\'s "quoted" $HOME → 😀' });
    const said = 'echo: it\'s "quoted" $HOME → 😀\n';
    expect(result).toEqual({ llmContent: said, returnDisplay: said });
    expect(draft).toMatchObject({ resources: [{ kind: 'opaque' }], repeat: 'unsafe' });
  });

  test('by a prefixed name still asks for it by its own [T2]', async () => {
    const tool = await echoBy('console.log(process.argv[2])', { isTaken: (name) => name === 'echo' });
    expect(tool.name).toBe('discovered_tool_echo');
    expect((await carry(tool)).result.llmContent).toBe('echo\n');
  });

  test('is checked against the declared schema before anything runs [L3]', async () => {
    const tool = await echoBy('');
    expect(tool.check({})).toEqual({ ok: false, problems: ['"text" is required'] });
  });

  test('that prints nothing has a result that states it, and need not read its arguments [T2]', async () => {
    const tool = await echoBy('');
    const large = 'x'.repeat(1_000_000);
    expect((await carry(tool, { text: large })).result.llmContent).toBe(
      'echo succeeded and printed nothing.',
    );
  });

  test.each([
    [
      'console.log("half"); console.error("why"); process.exit(3)',
      'echo failed.\nStdout: half\n\nStderr: why\n\nExit Code: 3\nSignal: (none)',
    ],
    [
      'console.log("done"); console.error("but")',
      'echo reported an error.\nStdout: done\n\nStderr: but\n\nExit Code: 0\nSignal: (none)',
    ],
  ])('that goes wrong in %j fails with all that is known [T2]', async (source, message) => {
    expect(await failureOf(carry(await echoBy(source)))).toEqual({
      code: 'execution_failed',
      type: 'discovered_tool_execution_error',
      message,
    });
  });

  test('that was killed is reported with the signal, as far as a shell reports it [T2]', async () => {
    const tool = await echoBy('process.kill(process.pid, "SIGKILL"); setTimeout(() => {}, 9000)');
    expect(explain(await failureOf(carry(tool))).message).toMatch(/\nExit Code: 137 \(as after SIGKILL\)\n/);
  });

  test('that prints without end is stopped, and what it printed is kept [T2] [X3]', async () => {
    const tool = await echoBy('for (;;) require("fs").writeSync(1, "abc\\n".repeat(1000))', {
      limits: { outputBytesMax: 50_000 },
    });
    const thrown: unknown = await carry(tool).catch((error: unknown) => error);
    if (!(thrown instanceof ToolFailure)) throw thrown;
    expect(thrown.failure).toMatchObject({ message: 'echo was stopped: it printed more than 48.8 KB.' });
    expect(thrown.output).toBe('abc\n'.repeat(12_500));
  });

  test('that prints no text is reported with the type of its output [T2]', async () => {
    const tool = await echoBy(
      String.raw`process.stdout.write(Buffer.from('\x89PNG\r\n\x1a\n\0\0', 'latin1'))`,
    );
    expect((await carry(tool)).result.llmContent).toBe(
      '[Binary output of type image/png, 10 bytes, omitted.]',
    );
  });

  test('ends with everything it started when it is cancelled, also what hides or does not listen [X3] [L5]', async () => {
    const tool = await echoBy(`
      const { spawn } = require('child_process');
      process.on('SIGTERM', () => {});
      spawn('sleep', ['7138'], { detached: true, stdio: 'inherit' }).unref();
      console.log('begun');
      setInterval(() => {}, 1000);`);
    const controller = new AbortController();
    const call = carry(tool, { text: '' }, controller.signal).catch((error: unknown) => error);
    while (!runs('7138')) await delay(20);
    controller.abort();
    const thrown = await call;
    expect(thrown).toBeInstanceOf(ToolFailure);
    expect(thrown).toMatchObject({ output: 'begun\n' });
    expect([runs('7138'), runs('call.cjs')]).toEqual([false, false]);
  });

  test('that was cancelled before it began leaves nothing running [X3]', async () => {
    const tool = await echoBy(`setTimeout(() => require('fs').writeFileSync('late', ''), 300)`);
    const controller = new AbortController();
    controller.abort();
    expect((await failureOf(carry(tool, { text: '' }, controller.signal))).code).toBe('execution_failed');
    expect(runs('call.cjs')).toBe(false);
  });

  test('that ends well does not leave others running behind it [X3]', async () => {
    const tool = await echoBy(`
      require('child_process').spawn('sleep', ['7139'], { detached: true, stdio: 'inherit' }).unref();
      console.log('done');`);
    expect((await carry(tool)).result.llmContent).toBe('done\n');
    expect(runs('7139')).toBe(false);
  });

  test("does not see the host's secrets, unless they are let through [X4]", async () => {
    const source = 'console.log([process.env.MY_API_KEY, process.env.PLAIN, process.env.LET_TOKEN].join())';
    const env = { PATH: process.env['PATH'], MY_API_KEY: 'k', PLAIN: 'p', LET_TOKEN: 't' };
    const tool = await echoBy(source, { env, pass: ['LET_TOKEN'] });
    expect((await carry(tool)).result.llmContent).toBe(',p,t\n');
  });

  test('runs in the workspace, by a command line that may be more than one word [T2]', async () => {
    place.put('bin/call.cjs', 'console.log(process.cwd(), process.argv.slice(2).join())');
    const tool = await echoBy('', { callCommand: `cd bin && ${process.execPath} call.cjs --flag` });
    expect((await carry(tool)).result.llmContent).toBe(`${place.workspace}/bin --flag,echo\n`);
  });

  test('in a directory that was removed fails with the reason', async () => {
    const tool = await echoBy('');
    place.remove();
    expect(await failureOf(carry(tool))).toMatchObject({
      message: `echo could not be started: the directory ${place.workspace} does not exist`,
    });
  });
});
