import { commandEnd, doubtAbout, markedOutput } from '@countersign/kernel';
import {
  type CancelledCall,
  cancelText,
  type ErroredCall,
  explain,
  type SettledCall,
} from '@countersign/protocol';

/** A completed call as scripts read it: one JSON line. */
export type ResultLine = {
  readonly callId: string | null;
  readonly name: string | null;
  readonly status: SettledCall['status'];
  readonly outcome?: string;
  readonly durationMs: number;
  readonly output?: unknown;
  readonly error?: {
    readonly type: string;
    readonly message: string;
    readonly hint?: string;
    /** The call was started and did not report its end, so it may have taken effect. */
    readonly mayHaveHappened?: true;
    /** It had finished when it was cancelled, and `output` is its whole result. */
    readonly complete?: true;
  };
  /** The exit code of a command that ended, and the signal that ended it, if that is certain. */
  readonly exitCode?: number;
  readonly signal?: string;
};

export function resultLine(call: SettledCall): ResultLine {
  const { request, startedAt, endedAt, answer } = call;
  const head = {
    callId: request.wireId,
    name: request.name,
    status: call.status,
    ...(answer && { outcome: answer.outcome }),
    durationMs: startedAt === null ? 0 : Math.max(0, endedAt - startedAt),
  };
  switch (call.status) {
    case 'success':
      return {
        ...head,
        output: call.result.llmContent,
        ...(call.result.exitCode !== undefined && { exitCode: call.result.exitCode }),
      };
    case 'error': {
      const { message, hint } = explain(call.failure);
      return {
        ...head,
        ...('exitCode' in commandEnd(call) ? commandOutput(call) : partialOutput(call)),
        error: { type: call.failure.code, message, hint, ...doubtAbout(call) },
      };
    }
    case 'cancelled':
      return {
        ...head,
        ...partialOutput(call),
        error: { type: call.reason.type, message: cancelText(call.reason), ...doubtAbout(call) },
      };
  }
}

/** The output of a failed command is complete, since the command ended. */
const commandOutput = (call: ErroredCall): Pick<ResultLine, 'output' | 'exitCode' | 'signal'> => ({
  output: call.partial?.output ?? '',
  ...commandEnd(call),
});

function partialOutput(call: ErroredCall | CancelledCall): { readonly output?: string } {
  const output = call.partial?.output;
  return output ? { output: markedOutput(call, output) } : {};
}
