import type { Recorded } from '@countersign/engine';
import type { ApprovalMode } from '@countersign/protocol';
import { Refusal } from '../problems.js';
import { readFacts } from '../sessions/read-facts.js';
import { servedWorkspace } from '../sessions/served-workspace.js';
import type { Handlers, Parts } from './handler.js';

type Names = 'checkPolicy' | 'explainPolicy' | 'explainCall' | 'listTools';

export function policyHandlers({ ports, journal }: Parts): Handlers<Names> {
  const judgeFor = async ({ workspace, mode = null }: { workspace?: string; mode?: ApprovalMode | null }) =>
    ports.judgeFor(await servedWorkspace(workspace, ports.workspaces), mode);
  return {
    checkPolicy: async ({ body }) => {
      const judge = await judgeFor(body);
      const verdicts = [];
      for (const { interactive = true, ...call } of body.calls)
        verdicts.push(await judge.check({ ...call, interactive }));
      return { verdicts };
    },

    explainPolicy: async ({ body }) => {
      const { interactive = true, ...call } = body.call;
      return (await judgeFor(body)).explain({ ...call, interactive });
    },

    explainCall: async ({ query: { sessionId, callId } }) => {
      const story = new CallStory(callId);
      for await (const page of readFacts(journal, sessionId)) for (const each of page) story.hear(each);
      if (story.facts.length === 0) throw new Refusal({ code: 'unknown_call', callId });
      return { ...story.judgedBy, facts: story.facts };
    },

    listTools: async ({ query }) => {
      const tools = await ports.toolsOf(await servedWorkspace(query.workspace, ports.workspaces));
      return { tools: tools.map((tool) => ({ ...tool })) };
    },
  };
}

type Circumstances = { readonly policy: string | null; readonly mode: ApprovalMode | null };
const NEVER_JUDGED: Circumstances = { policy: null, mode: null };

/** All that happened to a call, and under which rules and in which mode it was judged last. */
class CallStory {
  facts: Recorded[] = [];
  judgedBy = NEVER_JUDGED;
  readonly #callId: string;
  #now = NEVER_JUDGED;

  constructor(callId: string) {
    this.#callId = callId;
  }

  hear(fact: Recorded): void {
    const { event } = fact;
    if (event.type === 'policy.loaded') this.#now = { ...this.#now, policy: event.hash };
    if (event.type === 'session.opened' || event.type === 'mode.changed')
      this.#now = { ...this.#now, mode: event.mode };
    // An id may come again in a later turn: the latest call of that id is the one that is meant.
    if (event.type === 'call.requested' && event.request.callId === this.#callId) {
      this.facts = [fact];
      this.judgedBy = NEVER_JUDGED;
    }
    if (!('callId' in event) || event.callId !== this.#callId) return;
    this.facts.push(fact);
    if (event.type === 'call.planned') this.judgedBy = this.#now;
  }
}
