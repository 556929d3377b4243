import { explain, type Failure } from '@countersign/protocol';
import { EXIT, type ExitCode } from './exit-codes.js';
import { failureText } from './failure-text.js';
import { type Io, printJson, say } from './io.js';

export type Result =
  /** `note`: what else was done, as a sentence for people. */
  | { readonly ok: true; readonly repeated?: boolean; readonly note?: string }
  | { readonly ok: false; readonly failure: Failure };

/** The JSON line that acknowledges or refuses a command, with the id of what the command is about. */
export const ackLine = (id: string | undefined, result: Result) => ({
  type: 'ack',
  id,
  ok: result.ok,
  ...(result.ok
    ? result.repeated && { repeated: true }
    : { error: { type: result.failure.code, ...explain(result.failure) } }),
});

/** Applies a command to each id, and prints each result; `done` begins the sentence for people, as in "Deleted ID.". */
export async function ackEach(
  ids: ReadonlySet<string>,
  { done, json = false }: { readonly done: string; readonly json?: boolean | undefined },
  io: Io,
  apply: (id: string) => Promise<Result>,
): Promise<ExitCode> {
  let isAllDone = true;
  for (const id of ids) {
    const result = await apply(id);
    isAllDone &&= result.ok;
    if (json) printJson(io, ackLine(id, result));
    else if (result.ok)
      say(io, [`${done} ${id}.`, ...(result.note === undefined ? [] : [result.note])].join(' '));
    else say(io, failureText(result.failure));
  }
  return isAllDone ? EXIT.ok : EXIT.notAll;
}
