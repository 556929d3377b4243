import type { Fresh, Input, PlanOutcome, Session } from '@countersign/kernel';
import {
  type AnswerPayload,
  type AwaitingCall,
  type CallRequest,
  type Command,
  canonicalJson,
  type Failure,
  type JsonObject,
  type Need,
  shapeProblem,
} from '@countersign/protocol';
import { lineOf } from '../planning/known-commands.js';
import { digestOf } from '../planning/plan-call.js';
import { type PlanningLimit, planInTime } from '../planning/plan-in-time.js';
import { type HookingOptions, planWithHooks } from '../planning/plan-with-hooks.js';
import { hashArgs, readBatch } from '../planning/requests.js';
import type { Toolbox } from '../tool/toolbox.js';
import { sha256 } from '../values/hash.js';
import { isThenable, plainObject, wordsOf } from '../values/plain.js';
import { randomHex } from '../values/random-hex.js';
import { wellFormedPayload } from '../values/well-formed-input.js';

export type Reading =
  | { readonly ok: true; readonly input: Input }
  | { readonly ok: false; readonly failure: Failure };

export type ReadingOptions = HookingOptions & {
  readonly now: () => number;
  readonly limit: PlanningLimit;
  /** Fires when the session is left. */
  readonly over: AbortSignal;
};

/**
 * Turn a command from outside into an input for the kernel: names made canonical,
 * arguments copied and hashed, and for an answer a fresh look at the world, so
 * that consent is measured against what is there now.
 */
export async function readCommand(
  command: Command,
  session: Session,
  options: ReadingOptions,
): Promise<Reading> {
  const at = options.now();
  switch (command.type) {
    case 'call':
      return input({
        type: 'call',
        calls: readBatch(command.calls, options.tools, at),
        start: command.start ?? 'as_granted',
        attended: command.attended !== 'nobody',
        whenBusy: 'queue',
        at,
      });
    case 'answer': {
      const call = session.calls.get(command.callId);
      const isCurrent =
        call?.status === 'awaiting_approval' &&
        call.step === 'asked' &&
        call.question.digest === command.digest;
      const proceeds = command.outcome !== 'cancel' && command.outcome !== 'modify_with_editor';
      const { payload = {}, callId, digest, outcome, by, key = null } = command;
      const tooLarge = shapeProblem(payload);
      if (tooLarge !== null) return refused({ code: 'invalid_answer', problem: tooLarge });
      const fresh = isCurrent && proceeds ? await lookAgain(call, payload, options) : UNSEEN;
      if (!('type' in fresh)) return fresh;
      // No other outcome makes a grant, and a random id takes longer than the rest of reading an answer.
      const grantId = outcome.startsWith('proceed_always') ? `grant-${randomHex()}` : '';
      return input({
        type: 'answer',
        callId,
        digest,
        outcome,
        payload,
        by,
        key,
        ...digestOfPayload(payload),
        fresh,
        grantId,
        at: options.now(),
      });
    }
    case 'modify': {
      const request = session.calls.get(command.callId)?.request;
      const plain = plainObject(command.args);
      if (!plain.ok) return refused({ code: 'invalid_answer', problem: plain.problem });
      const { callId, digest, by } = command;
      const args = plain.value;
      const argsHash = hashArgs(request?.name ?? '', args);
      // A slip of the pen must not cost the call: arguments that cannot be planned leave the question as it was.
      const outcome = request && (await planWhileOpen({ ...request, args, argsHash }, options));
      if (outcome && !outcome.ok) return refused(outcome.failure);
      return input({ type: 'modify', callId, digest, args, argsHash, by, at });
    }
    case 'prompt': {
      const { parts, by, promptId = randomHex() } = command;
      const plain = plainObject({ parts });
      if (!plain.ok) return refused({ code: 'invalid_request', problem: plain.problem });
      return input({ type: 'say', message: { role: 'user', parts, by, promptId }, at });
    }
    case 'cancel':
    case 'set-mode':
    case 'revoke-grant':
      return input({ ...command, at });
  }
}

/** What an answer carries, as one value to compare: a repeated answer carries the same. */
export function digestOfPayload(payload: AnswerPayload): { readonly payloadDigest?: string } {
  return Object.keys(payload).length === 0
    ? {}
    : { payloadDigest: sha256(canonicalJson(wellFormedPayload(payload))) };
}

const UNSEEN: Fresh = { type: 'unseen' };
const UNCHANGED: Fresh = { type: 'unchanged' };

/** No file that could have changed, and the tool is still what it was when the question was made. */
function restsOnNothing({ request, plan }: AwaitingCall, options: ReadingOptions): boolean {
  const tool = options.tools.get(request.name);
  return (
    tool !== undefined &&
    plan.basis.length === 0 &&
    // Policy judges its command line again, which may not have been taken apart in this process.
    lineOf(request.name, request.args) === null &&
    digestOf(request, tool, plan, options) === plan.digest
  );
}

async function lookAgain(
  call: AwaitingCall,
  payload: NonNullable<Extract<Command, { type: 'answer' }>['payload']>,
  options: ReadingOptions,
): Promise<Fresh | Extract<Reading, { ok: false }>> {
  const { request } = call;
  if (payload.args === undefined && payload.newContent === undefined) {
    return restsOnNothing(call, options)
      ? UNCHANGED
      : { type: 'planned', outcome: await planWhileOpen(request, options, call.plan.needs) };
  }
  const changed = await changedArgs(call, payload, options.tools);
  if (!changed.ok) return refused({ code: 'invalid_answer', problem: changed.problem });
  const args = changed.value;
  const argsHash = hashArgs(request.name, args);
  const changedRequest = { ...request, args, argsHash, revision: request.revision + 1 };
  const { outcome, hooked } = await whileOpen(options, () => {
    const { planned, stop } = planWithHooks(changedRequest, options, options.limit);
    return { outcome: planned, stop };
  });
  return { type: 'rewritten', args, argsHash, outcome, hooked };
}

const planWhileOpen = (
  request: CallRequest,
  options: ReadingOptions,
  needs?: readonly Need[],
): Promise<PlanOutcome> => whileOpen(options, () => planInTime(request, options, options.limit, needs));

/** A person waits for the acknowledgement: neither a plan that is stuck nor a session that is left keeps it from them. */
async function whileOpen<T>(
  { over }: ReadingOptions,
  begin: () => { readonly outcome: T | Promise<T>; readonly stop: () => void },
): Promise<T> {
  const { outcome, stop } = begin();
  if (!isThenable(outcome)) return outcome;
  over.addEventListener('abort', stop);
  if (over.aborted) stop();
  const made = await outcome;
  over.removeEventListener('abort', stop);
  return made;
}

async function changedArgs(
  { request: { name, args }, question: { confirmation } }: AwaitingCall,
  payload: { readonly args?: JsonObject; readonly newContent?: string },
  tools: Toolbox,
): Promise<ReturnType<typeof plainObject>> {
  if (payload.args !== undefined && payload.newContent !== undefined) {
    return { ok: false, problem: 'it carries both new arguments and new content; send one of them' };
  }
  if (payload.args !== undefined) {
    const plain = plainObject(payload.args);
    if (!plain.ok) return plain;
    return { ok: true, value: tools.get(name)?.renameArgs?.(plain.value) ?? plain.value };
  }
  const withContent = tools.get(name)?.withContent;
  if (!withContent || typeof payload.newContent !== 'string') {
    return { ok: false, problem: `${name} has no file content to replace; send changed arguments instead` };
  }
  try {
    const original = confirmation.type === 'edit' ? confirmation.originalContent : null;
    return plainObject(await withContent(args, payload.newContent, original));
  } catch (thrown) {
    return { ok: false, problem: `${name} cannot take that content: ${wordsOf(thrown)}` };
  }
}

const input = (value: Input): Reading => ({ ok: true, input: value });
const refused = (failure: Failure): Extract<Reading, { ok: false }> => ({ ok: false, failure });
