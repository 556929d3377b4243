import { type Entries, nearestNames } from './entry.js';

/** What can go wrong with a call, from its request to its end. */
export type CallFailure =
  | { readonly code: 'tool_not_registered'; readonly name: string; readonly nearest: readonly string[] }
  | { readonly code: 'invalid_tool_params'; readonly name: string; readonly problems: readonly string[] }
  | { readonly code: 'duplicate_call_id'; readonly callId: string }
  | { readonly code: 'invalid_request'; readonly problem: string }
  | { readonly code: 'plan_failed'; readonly name: string; readonly message: string }
  | { readonly code: 'plan_timed_out'; readonly name: string; readonly afterMs: number }
  | { readonly code: 'policy_violation'; readonly reason: string; readonly rule: string | null }
  | { readonly code: 'nobody_to_ask'; readonly reason: string }
  | { readonly code: 'hook_denied'; readonly hook: string; readonly reason: string }
  /** `type` is the tool's own name for what went wrong, where it has one. */
  | { readonly code: 'execution_failed'; readonly message: string; readonly type?: string }
  | { readonly code: 'unhandled_exception'; readonly message: string }
  | { readonly code: 'temporary'; readonly message: string }
  | { readonly code: 'network'; readonly message: string }
  | { readonly code: 'timed_out'; readonly afterMs: number; readonly stopped: boolean }
  | { readonly code: 'result_not_plain'; readonly problem: string }
  | { readonly code: 'interrupted'; readonly attempt: number }
  | { readonly code: 'unknown_skill'; readonly name: string; readonly nearest: readonly string[] };

export const CALL_FAILURES: Entries<CallFailure> = {
  tool_not_registered: {
    audience: 'model',
    when: 'A call names a tool that does not exist.',
    message: ({ name, nearest }) =>
      `Tool "${name}" not found in registry. ${nearestNames(nearest, 'No tool has a similar name.')}`,
    hint: () => 'Call one of the declared tools by its exact name.',
  },
  invalid_tool_params: {
    audience: 'model',
    when: 'Arguments are missing, of the wrong type, or unknown to the tool.',
    message: ({ name, problems }) => `Invalid arguments for ${name}: ${problems.join('; ')}.`,
    hint: () => 'Correct the named arguments and call the tool again.',
  },
  duplicate_call_id: {
    audience: 'model',
    when: 'Two calls of one batch carry the same id.',
    message: ({ callId }) => `Another call of this batch already has the id "${callId}".`,
    hint: () => 'Give every call of a batch its own id, or omit the id to have one generated.',
  },
  invalid_request: {
    audience: 'person',
    when: 'A request or command does not have the documented shape.',
    message: ({ problem }) => `The request is not valid: ${problem}.`,
    hint: () => 'Nothing was run. Correct the request and send it again.',
  },
  plan_failed: {
    audience: 'model',
    when: "A tool's plan threw, so the effects of the call are not known.",
    message: ({ name, message }) => `${name} could not determine what this call would do: ${message}`,
    hint: () => 'Nothing was run. Change the arguments, or use another tool.',
  },
  plan_timed_out: {
    audience: 'model',
    when: "A tool's plan did not finish within its limit.",
    message: ({ name, afterMs }) => `${name} did not determine within ${afterMs} ms what this call would do.`,
    hint: () => 'Nothing was run. Narrow the call down, or use another tool.',
  },
  policy_violation: {
    audience: 'model',
    when: 'A rule of policy denies the call.',
    message: ({ reason, rule }) =>
      `Denied by policy: ${reason}${rule && !reason.includes(rule) ? ` (${rule})` : ''}`,
    hint: () => 'Do not try the same thing another way; ask the user, or continue without it.',
  },
  nobody_to_ask: {
    audience: 'model',
    when: 'Policy requires approval and no user is attached.',
    message: ({ reason }) => `This call needs the user's approval. ${reason}`,
    hint: () =>
      'Continue without it, or run with an approval channel (for example --approvals stdio or --approvals wait).',
  },
  hook_denied: {
    audience: 'model',
    when: 'A hook refuses the call, or failed and refuses until it works.',
    message: ({ reason }) => `Denied by a hook: ${reason}`,
    hint: () => 'Do not try the same thing another way; ask the user, or continue without it.',
  },
  execution_failed: {
    audience: 'model',
    when: 'A tool ran and reported that it failed.',
    message: ({ message }) => message,
    hint: () => 'Read the message, correct the cause, then try again.',
  },
  unhandled_exception: {
    audience: 'model',
    when: 'A tool threw something while running.',
    message: ({ message }) => `The tool failed unexpectedly: ${message}`,
    hint: () => 'It may have taken effect in part. Check before trying again.',
  },
  temporary: {
    audience: 'model',
    transient: true,
    when: 'A tool reported a temporary error.',
    message: ({ message }) => `A temporary error: ${message}`,
    hint: () => 'Try again later.',
  },
  network: {
    audience: 'model',
    transient: true,
    when: 'A tool could not reach a server.',
    message: ({ message }) => `The network failed: ${message}`,
    hint: () => 'Check the address, then try again later.',
  },
  timed_out: {
    audience: 'model',
    transient: true,
    when: 'A call ran longer than its time limit.',
    message: ({ afterMs, stopped }) =>
      `Stopped after its time limit of ${afterMs} ms.${stopped ? '' : ' The tool did not stop and may still be running.'}`,
    hint: () => 'It may have taken effect in part. Check, then run a smaller call or raise the limit.',
  },
  result_not_plain: {
    audience: 'operator',
    when: 'A tool returned something that cannot be stored as JSON.',
    message: ({ problem }) => `The tool ran, but its result cannot be stored: ${problem}.`,
    hint: () => 'The call has taken effect. Fix the tool so that it returns plain data.',
  },
  interrupted: {
    audience: 'model',
    when: 'The program ended while the call was running and its outcome is unknown.',
    message: () => 'The program ended while this call was running. It may or may not have taken effect.',
    hint: () => 'Check the current state before doing it again; it is not repeated automatically.',
  },
  unknown_skill: {
    audience: 'model',
    when: 'A skill to activate does not exist or may not be used.',
    message: ({ name, nearest }) =>
      `There is no skill "${name}". ${nearestNames(nearest, 'No skill has a similar name.')}`,
    hint: () => 'Use a name from the list of skills, or continue without one.',
  },
};
