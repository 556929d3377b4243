import { rm } from 'node:fs/promises';
import { EXIT, type ExitCode } from '../io/exit-codes.js';
import type { Io } from '../io/io.js';
import { canAsk } from '../io/same-terminal.js';
import { expectNoMore, readOptions } from '../options/options.js';
import { play } from './play.js';
import { makeScratch, setStage } from './stage.js';

/** `countersign demo`: plays a scripted model with the real agent, tools and rules, in a temporary folder. */
export async function demo(args: readonly string[], io: Io): Promise<ExitCode> {
  const { values, positionals } = readOptions('demo', args, {
    keep: { type: 'boolean' },
    yes: { type: 'boolean' },
  });
  expectNoMore('demo', positionals);
  const answering = values.yes ? 'yes' : canAsk(io) ? 'person' : 'no';
  const scratch = await makeScratch();
  // A closed output ends the demo; its folder is removed in any case.
  let isOutputOpen = true;
  io.stdout.on('error', () => {
    isOutputOpen = false;
  });
  try {
    const code = await play(await setStage(scratch), answering, io);
    return isOutputOpen ? code : EXIT.notAll;
  } finally {
    if (values.keep) io.stdout.write(`\nThe folder was kept: ${scratch}\n`);
    else await rm(scratch, { recursive: true, force: true });
  }
}
