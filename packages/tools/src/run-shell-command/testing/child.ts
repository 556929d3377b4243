// Another process that runs one command as the engine would, for the tests. It says what happens as lines of JSON.
import { join } from 'node:path';
import * as z from 'zod';
import { planContext, planOf, runContext } from '../../testing/carry-out.js';
import { shellOptions } from '../options.js';
import { runShellCommand } from '../run-shell-command.js';
import { came } from './temporary-shell.js';

const [workspace = '', directory = '', argsText = '{}', stay = ''] = process.argv.slice(2);
const args = z.record(z.string(), z.json()).parse(JSON.parse(argsText));

const tool = runShellCommand(shellOptions(process.env));
const options = { workspace };
const plan = planOf(tool, await tool.plan(args, planContext(options)), workspace);
const context = {
  ...runContext(plan, options),
  directory,
  sessionDirectory: join(directory, '..'),
  process: (pid: number) => say({ pid }),
};

const rssBefore = process.memoryUsage().rss;
let rssMost = rssBefore;
const sample = () => {
  rssMost = Math.max(rssMost, process.memoryUsage().rss);
};
const sampling = setInterval(sample, 5);
const { ok, text } = await came(tool.run(args, context));
sample();
clearInterval(sampling);
say({ ok, text: text.slice(-200), grownBytes: rssMost - rssBefore });
if (stay === 'stay') setInterval(() => undefined, 60_000);

function say(what: object): void {
  process.stdout.write(`${JSON.stringify(what)}\n`);
}
