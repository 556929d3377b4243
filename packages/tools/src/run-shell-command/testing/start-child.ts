import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { JsonObject } from '@countersign/protocol';
import type { SandboxMode } from '@countersign/sandbox';
import * as z from 'zod';
import type { Request } from './child.js';

const CHILD = fileURLToPath(new URL('../../../dist/run-shell-command/testing/child.js', import.meta.url));

const Said = z.union([
  z.strictObject({ pid: z.number() }),
  z.strictObject({ ok: z.boolean(), code: z.string().nullable(), text: z.string(), grownBytes: z.number() }),
]);
type Said = z.output<typeof Said>;

export type Child = {
  /** The next line that it prints. */
  readonly said: () => Promise<Said>;
  /** kill -9, as a crash would. */
  readonly crash: () => Promise<void>;
};

export type ChildOptions = {
  readonly afterwards?: Request['afterwards'];
  readonly sandbox?: SandboxMode;
  /** Whose process it is; ours if omitted. */
  readonly uid?: number;
};

/** A process that runs one command of ours in this directory, and keeps running after it if `afterwards` says so. */
export function startChild(
  workspace: string,
  directory: string,
  args: JsonObject,
  { afterwards = 'end', sandbox = 'off', uid }: ChildOptions = {},
): Child {
  const request = JSON.stringify({ workspace, directory, args, afterwards, sandbox });
  const child: ChildProcess = spawn(process.execPath, [CHILD, request], {
    stdio: ['ignore', 'pipe', 'inherit'],
    ...(uid !== undefined && { uid, gid: uid }),
  });
  if (!child.stdout) throw new Error('its output is not ours');
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return {
    said: async () => {
      const line = await lines.next();
      if (line.done) throw new Error('it said nothing more');
      return Said.parse(JSON.parse(line.value));
    },
    crash: async () => {
      const gone = once(child, 'exit');
      child.kill('SIGKILL');
      await gone;
    },
  };
}
