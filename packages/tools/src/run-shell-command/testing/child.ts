// Another process that runs one command as the engine would, for the tests. It prints what happens as lines of JSON.
import { join } from 'node:path';
import * as z from 'zod';
import { shellOptions } from '../../confined-command/options.js';
import { planContext, planOf, runContext } from '../../testing/carry-out.js';
import { runShellCommand } from '../run-shell-command.js';
import { came } from './temporary-shell.js';

const Request = z.strictObject({
  workspace: z.string(),
  directory: z.string(),
  args: z.record(z.string(), z.json()),
  afterwards: z.enum(['end', 'stay']),
  sandbox: z.enum(['off', 'on', 'required']),
});
export type Request = z.output<typeof Request>;

const { workspace, directory, args, afterwards, sandbox } = Request.parse(JSON.parse(process.argv[2] ?? ''));

const tool = runShellCommand({ ...shellOptions(process.env), sandbox });
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
const { ok, text, ...ended } = await came(tool.run(args, context));
sample();
clearInterval(sampling);
const code = 'failure' in ended ? ended.failure.code : null;
say({ ok, code, text: text.slice(-200), grownBytes: rssMost - rssBefore });
if (afterwards === 'stay') setInterval(() => undefined, 60_000);

function say(what: object): void {
  process.stdout.write(`${JSON.stringify(what)}\n`);
}
