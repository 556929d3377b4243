import type { SessionUpdate, ToolCallContent, ToolCallLocation, ToolKind } from '@agentclientprotocol/sdk';
import { visibleLine } from '@countersign/display';
import {
  type CallRequest,
  type Fact,
  isSettled,
  type Kind,
  type Location,
  type Plan,
  type Question,
  type SettledCall,
  type ToolCall,
} from '@countersign/protocol';
import type { EditAsked } from '../content/edit-diffs.js';
import { questionContent } from './question.js';
import { type Outcome, outcomeOf } from './settled-call.js';

export type ToolInfo = { readonly displayName: string; readonly kind: Kind };
export type ToolInfos = (name: string) => ToolInfo | undefined;

type Update<T extends SessionUpdate['sessionUpdate']> = Extract<SessionUpdate, { sessionUpdate: T }>;

/** Turns facts about calls into updates for an editor. */
export class ShownCalls {
  readonly #tools: ToolInfos;
  /** Models may reuse an id in a later turn; an editor never receives one twice. */
  readonly #firstTurns = new Map<string, number>();
  /** The edits that a person was shown, while their calls are open. */
  readonly #asked = new Map<string, EditAsked>();
  /** Open calls have ids that are theirs alone: id to turn. */
  readonly #running = new Map<string, number>();

  constructor(tools: ToolInfos) {
    this.#tools = tools;
  }

  /** The update that a fact makes necessary; null if it changes nothing that is shown. */
  updateFor({ event, call }: Fact): SessionUpdate | null {
    if (!call) return null;
    switch (event.type) {
      case 'call.requested':
        return this.#begun(call.request);
      case 'call.rewritten':
        return this.#changed(call.request, { rawInput: event.args });
      case 'call.planned':
        return this.#changed(call.request, planned(event.plan));
      case 'call.asked':
      case 'call.blocked':
        this.#keep(call.request, event.question);
        this.#running.delete(event.callId);
        return call.status === 'awaiting_approval'
          ? this.#changed(call.request, { status: 'pending', content: questionContent(call) })
          : null;
      case 'call.started':
        this.#running.set(event.callId, call.request.turn);
        return this.#changed(call.request, { status: 'in_progress' });
      case 'call.succeeded':
      case 'call.failed':
      case 'call.cancelled':
        return isSettled(call) ? this.#changed(call.request, this.#settled(call)) : null;
      default:
        return null;
    }
  }

  /** Live output of a call; null if it is not running. */
  live(callId: string, content: ToolCallContent[]): SessionUpdate | null {
    const turn = this.#running.get(callId);
    return turn === undefined ? null : this.#changed({ callId, turn }, { content });
  }

  /** A call in its current state, with what was known of it before. */
  whole(call: ToolCall, { plan, asked }: Known = knownOf(call)): Update<'tool_call'> {
    return { ...this.#begun(call.request), ...(plan && planned(plan)), ...statusOf(call, asked) };
  }

  idOf({ callId, turn }: Pick<CallRequest, 'callId' | 'turn'>): string {
    const first = this.#firstTurns.get(callId) ?? turn;
    this.#firstTurns.set(callId, first);
    return first === turn ? callId : `${callId} (turn ${turn})`;
  }

  #begun(request: CallRequest): Update<'tool_call'> {
    const { name, args } = request;
    const tool = this.#tools(name);
    return {
      sessionUpdate: 'tool_call',
      toolCallId: this.idOf(request),
      title: visibleLine(tool?.displayName ?? name),
      name,
      kind: tool ? KINDS[tool.kind] : 'other',
      status: 'pending',
      rawInput: args,
    };
  }

  #settled(call: SettledCall): Outcome {
    const key = keyOf(call.request);
    const asked = this.#asked.get(key) ?? null;
    this.#asked.delete(key);
    this.#running.delete(call.request.callId);
    return outcomeOf(call, asked);
  }

  #keep(request: CallRequest, { confirmation }: Question): void {
    if (confirmation.type === 'edit') this.#asked.set(keyOf(request), confirmation);
  }

  #changed(
    request: Pick<CallRequest, 'callId' | 'turn'>,
    change: Partial<Update<'tool_call_update'>>,
  ): Update<'tool_call_update'> {
    return { ...change, sessionUpdate: 'tool_call_update', toolCallId: this.idOf(request) };
  }
}

/** What a settled call no longer holds: its plan, and the edit that was asked about. */
export type Known = { readonly plan: Plan | null; readonly asked: EditAsked | null };

/** Takes from a call what it holds now, and keeps what it held before. */
export function knownOf(call: ToolCall, before: Known = NOTHING_KNOWN): Known {
  const { confirmation } = call.status === 'awaiting_approval' ? call.question : { confirmation: null };
  return {
    plan: 'plan' in call && call.plan ? call.plan : before.plan,
    asked: confirmation?.type === 'edit' ? confirmation : before.asked,
  };
}
const NOTHING_KNOWN: Known = { plan: null, asked: null };

function statusOf(call: ToolCall, asked: EditAsked | null): Partial<Update<'tool_call'>> {
  if (isSettled(call)) return outcomeOf(call, asked);
  if (call.status === 'awaiting_approval') return { status: 'pending', content: questionContent(call) };
  return { status: call.status === 'executing' ? 'in_progress' : 'pending' };
}

const keyOf = ({ callId, turn }: CallRequest): string => `${turn} ${callId}`;

const planned = ({ title, kind, locations }: Plan) => ({
  title: visibleLine(title),
  kind: KINDS[kind],
  locations: locations.map(locationOf),
});

const locationOf = ({ path, line }: Location): ToolCallLocation => ({
  path,
  ...(line !== undefined && { line }),
});

const KINDS: { readonly [K in Kind]: ToolKind } = {
  read: 'read',
  edit: 'edit',
  delete: 'delete',
  move: 'move',
  search: 'search',
  execute: 'execute',
  think: 'think',
  fetch: 'fetch',
  plan: 'switch_mode',
  communicate: 'other',
  other: 'other',
};
