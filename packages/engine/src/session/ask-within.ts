import type { AskedQuestion, CallRequest, Json } from '@countersign/protocol';
import type { NestedCalls } from '../notes/nested-calls.js';
import { readBatch } from '../planning/requests.js';
import type { Toolbox } from '../tool/toolbox.js';
import { plainObject } from '../values/plain.js';
import type { WorkOptions } from '../work/work.js';
import type { Mailbox } from './mailbox.js';

/** The tool whose confirmation is a list of questions. */
const ASKING_TOOL = 'ask_user';

type Asking = {
  readonly tools: Toolbox;
  readonly mailbox: Mailbox;
  readonly nested: NestedCalls;
  readonly now: () => number;
};

/** A running call asks a person something: a call of its own within the same turn. null if there was no answer. */
export async function askWithin(
  { callId: within, turn, promptId }: CallRequest,
  questions: readonly AskedQuestion[],
  { asker, signal }: Parameters<WorkOptions['ask']>[2],
  { tools, mailbox, nested, now }: Asking,
): Promise<Json> {
  const at = now();
  const args = plainObject({ questions });
  const wanted = { name: ASKING_TOOL, args: args.ok ? args.value : {}, promptId };
  const [call] = readBatch([wanted], tools, at);
  if (!call) return null;
  const asked = nested.wait(within, call.wireId);
  const ack = await mailbox.submit({ type: 'nested.call', within, asker: asker ?? null, turn, call, at });
  if (!ack.ok) return null;
  const stop = () => {
    const { callId } = asked;
    if (callId !== null) mailbox.withdraw(callId);
  };
  if (signal.aborted) stop();
  signal.addEventListener('abort', stop);
  const settled = await asked.settled;
  signal.removeEventListener('abort', stop);
  return settled?.status === 'success' ? (settled.answer?.answers ?? null) : null;
}
