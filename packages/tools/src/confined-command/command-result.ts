import {
  type Ended,
  type Ending,
  type Exit,
  type RunningCommand,
  SIGNAL_BASE,
  type Stop,
  shownOutput,
  signalName,
} from '@countersign/host';
import { explain, type Failure, ToolFailure, type ToolResult } from '@countersign/protocol';
import { doubtSandbox } from '@countersign/sandbox';
import { confinedEnd } from './confined-end.js';

/** The result of a command that has ended. Anything but a success is thrown, with what it printed. */
export function resultOf(command: RunningCommand, ending: Ending): ToolResult {
  const output = shownOutput(command);
  const confined = confinedEnd(command, ending.type === 'exited' ? ending.exit : null);
  if (confined?.refusal) {
    doubtSandbox();
    throw new ToolFailure(notSetUp(confined.refusal));
  }
  const shown = [endedInWords(ending), ...(confined?.notes ?? [])]
    .filter((note) => note !== '')
    .reduce(
      (above, note) => lines(above, `[${note}]`),
      output === '' && ending.type === 'exited' ? '[No output.]' : output,
    );
  switch (ending.type) {
    case 'exited': {
      const { code, signal } = ending.exit;
      const llmContent = lines(shown, `Exit code: ${codeInWords(ending.exit)}`);
      if (code === 0) return { llmContent, returnDisplay: shown, exitCode: 0 };
      const lacked = confined?.lacked ?? null;
      throw new ToolFailure(
        lacked === null
          ? { code: 'command_failed', exitCode: code, signal }
          : { code: 'sandbox_denied', need: lacked, exitCode: code },
        llmContent,
      );
    }
    case 'lost':
      throw new ToolFailure({ code: 'command_lost', evidence: ending.evidence }, shown);
    case 'stopped':
      throw new ToolFailure(failureOf(ending.why, ending.ended, command.files.output), shown);
  }
}

/** It is not run without: what keeps a sandbox from being set up may have been left there for that purpose. */
const notSetUp = (complaint: string): Failure => ({
  code: 'execution_failed',
  type: 'sandbox_failed',
  message: `Nothing was run: the sandbox could not be set up (${complaint}).`,
});

function failureOf(why: Stop, { left }: Ended, path: string): Failure {
  switch (why.type) {
    case 'cancelled':
      return { code: 'execution_failed', message: 'The command was stopped before it finished.' };
    case 'out of time':
      return { code: 'timed_out', afterMs: why.afterMs, stopped: left.length === 0 };
    case 'silent':
      return { code: 'fell_silent', afterMs: why.afterMs };
    case 'too much output':
      return { code: 'output_too_large', path, bytes: why.bytes, bytesMax: why.bytesMax };
  }
}

/** Why a command was stopped, for later questions about it. */
export const stopInWords = (why: Stop): string =>
  explain(failureOf(why, NOTHING_ENDED, 'its output')).message;

export const NOTHING_ENDED: Ended = { count: 0, left: [] };

/** `137 (128 + 9, ended by SIGKILL)` */
export function codeInWords({ code, signal }: Exit): string {
  const name = code > SIGNAL_BASE ? signalName(code - SIGNAL_BASE) : null;
  if (name === null) return String(code);
  return `${code} (${SIGNAL_BASE} + ${code - SIGNAL_BASE}, ${signal === null ? 'as after' : 'ended by'} ${name})`;
}

function endedInWords({ type, ended: { count, left } }: Ending): string {
  const notes: string[] = [];
  if (type === 'exited' && count > 0)
    notes.push(
      `${count === 1 ? '1 process that it had left running was' : `${count} processes that it had left running were`} stopped. Use is_background for processes that should keep running.`,
    );
  if (left.length > 0) notes.push(`Could not be stopped: process ${left.join(', ')}.`);
  return notes.join(' ');
}

/** One under the other, whether or not the first ends in a line break. */
export function lines(above: string, below: string): string {
  if (below === '' || above === '') return above + below;
  return above.endsWith('\n') ? above + below : `${above}\n${below}`;
}
