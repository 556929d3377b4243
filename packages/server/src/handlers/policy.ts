import type { ApprovalMode } from '@countersign/protocol';
import { Refusal } from '../contract/problems.js';
import { callStory } from '../sessions/call-story.js';
import type { Judge } from '../sessions/ports.js';
import type { Handlers, Parts } from './handler.js';

export function policyHandlers({ ports, journal }: Parts) {
  /** Grants of a session in another workspace are nothing that these calls could use. */
  const judgeFor = async (workspace: string, { mode = null, sessionId = null }: Judging): Promise<Judge> => {
    if (sessionId !== null && (await journal.session(sessionId))?.workspace !== workspace)
      throw new Refusal({ code: 'unknown_session', sessionId });
    return ports.judgeFor(workspace, mode, sessionId);
  };
  return {
    checkPolicy: async ({ body, scope }) => {
      const judge = await judgeFor(scope.workspace, body);
      const verdicts = [];
      for (const { interactive = true, ...call } of body.calls)
        verdicts.push(await judge.check({ ...call, interactive }));
      return { verdicts };
    },

    explainPolicy: async ({ body, scope }) => {
      const { interactive = true, ...call } = body.call;
      const judge = await judgeFor(scope.workspace, body);
      return judge.explain({ ...call, interactive });
    },

    explainCall: async ({ query: { sessionId, callId } }) => {
      const story = await callStory(journal, sessionId, callId);
      if (story.facts.length === 0) throw new Refusal({ code: 'unknown_call', callId });
      return story;
    },

    listTools: async ({ scope }) => {
      const tools = await ports.toolsOf(scope.workspace);
      return { tools: tools.map((tool) => ({ ...tool })) };
    },
  } satisfies Partial<Handlers>;
}

type Judging = { readonly mode?: ApprovalMode | null; readonly sessionId?: string | null };
