import type { CallRequest } from '@countersign/protocol';
import type { NewCall } from '../state/input.js';

/** Written out, since this object is read for as long as the call lives, and V8 is slow with one built on a spread. */
export const toRequest = (
  call: NewCall,
  callId: string,
  turn: number,
  index: number,
  at: number,
): CallRequest => ({
  callId,
  wireId: call.wireId,
  name: call.name,
  args: call.args,
  argsHash: call.argsHash,
  origin: call.origin,
  promptId: call.promptId,
  turn,
  index,
  revision: 0,
  at,
  waitForPrevious: call.waitForPrevious,
  calledAs: call.calledAs,
});

/** The id as given, unless an open call has it: ids on the wire repeat across turns. */
export function freeId(wireId: string, isTaken: (id: string) => boolean): string {
  let id = wireId;
  for (let n = 2; isTaken(id); n++) id = `${wireId}~${n}`;
  return id;
}
