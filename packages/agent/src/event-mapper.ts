import { doubtAbout, resultOf } from '@countersign/kernel';
import { type AwaitingCall, explain, type Fact, isSettled, type SettledCall } from '@countersign/protocol';
import type { AgentEvent, ResponseInfo } from './events.js';

/** Maps facts to the events that a follower of a prompt receives. */
export class EventMapper {
  /** A failed call carries no plan: its title is remembered from when it was planned. */
  readonly #titles = new Map<string, string>();

  /** Null for facts that followers do not receive. */
  eventOf({ event, call }: Fact): AgentEvent | null {
    // What a running call requested is neither the model's call nor its result.
    if (call?.request.within && event.type !== 'call.planned') return null;
    switch (event.type) {
      case 'call.requested': {
        const { callId, name, args, origin, promptId } = event.request;
        const isClientInitiated = origin !== 'model';
        return {
          type: 'tool_call_request',
          value: { callId, name, args, isClientInitiated, prompt_id: promptId },
        };
      }
      case 'call.planned':
        this.#titles.set(event.callId, event.plan.title);
        return null;
      case 'call.succeeded':
      case 'call.failed':
      case 'call.cancelled':
        return call && isSettled(call) ? { type: 'tool_call_response', value: this.#response(call) } : null;
      default:
        return null;
    }
  }

  confirmation({ request, question, verdict, plan }: AwaitingCall): AgentEvent {
    const { callId, name } = request;
    const { digest, confirmation: details, offers } = question;
    this.#titles.set(callId, plan.title);
    return {
      type: 'tool_call_confirmation',
      value: { callId, name, digest, details, offers, reason: verdict.reason },
    };
  }

  #response(call: SettledCall): ResponseInfo {
    const { request, status, startedAt, endedAt } = call;
    const { parts, display } = resultOf(call);
    const title = this.#titles.get(request.callId) ?? request.name;
    this.#titles.delete(request.callId);
    return {
      callId: request.callId,
      name: request.name,
      title,
      status,
      responseParts: parts,
      resultDisplay: display,
      error: call.status === 'error' ? explain(call.failure).message : null,
      errorType:
        call.status === 'error' ? call.failure.code : call.status === 'cancelled' ? call.reason.type : null,
      durationMs: startedAt === null ? 0 : endedAt - startedAt,
      ...doubtAbout(call),
    };
  }
}
