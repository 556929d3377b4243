import type { Circumstances, Input } from '../state/input.js';
import type { Session } from '../state/session.js';
import { decideAnswer, decideModify } from './decide-answer.js';
import { decideCancel, decideGrantsGone, decideRevoke, withdrawn } from './decide-cancel.js';
import { decideNestedCall } from './decide-nested.js';
import { decideHooksEnded, decidePlanEnded, decideToolEnded } from './decide-report.js';
import { decideCall, decideOpen } from './decide-session.js';
import { decideStreamBroke, decideStreamCall, decideStreamEnded, messageOf } from './decide-stream.js';
import { type Decision, facts, repeated } from './decision.js';

/** What follows from an input. The only source of facts besides `schedule`; looks, never touches. */
export function decide(session: Session, input: Input, circumstances: Circumstances): Decision {
  switch (input.type) {
    case 'open':
      return decideOpen(session, input, circumstances);
    case 'call':
      return decideCall(session, input);
    case 'nested.call':
      return decideNestedCall(session, input);
    case 'stream.call':
      return decideStreamCall(session, input);
    case 'stream.ended':
      return decideStreamEnded(session, input, circumstances);
    case 'stream.broke':
      return decideStreamBroke(session, input);
    case 'say':
      return facts([{ type: 'message.added', message: messageOf(session, input.message, input.at) }]);
    case 'compress': {
      const { summary, keptFrom, usage, at } = input;
      return facts([{ type: 'history.compressed', summary, keptFrom, usage, at }]);
    }
    case 'mask':
      return facts([{ type: 'history.masked', throughTurn: input.throughTurn, at: input.at }]);
    case 'plan.ended':
      return decidePlanEnded(session, input, circumstances);
    case 'answer':
      return decideAnswer(session, input, circumstances);
    case 'modify':
      return decideModify(session, input);
    case 'tool.ended':
      return decideToolEnded(session, input, circumstances);
    case 'hooks.ended':
      return decideHooksEnded(session, input);
    case 'cancel':
      return decideCancel(session, input);
    case 'nested.withdrawn':
      return facts(withdrawn(session.calls.get(input.callId), input.at));
    case 'set-mode':
      if (input.mode === session.mode) return repeated;
      return facts([{ type: 'mode.changed', mode: input.mode, by: input.by, at: input.at }]);
    case 'revoke-grant':
      return decideRevoke(session, input, circumstances);
    case 'grants-gone':
      return decideGrantsGone(session, input);
  }
}
