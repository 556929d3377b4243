import { Refusal } from '../contract/problems.js';
import { callStory } from '../sessions/call-story.js';
import type { Handlers, Parts } from './handler.js';

export function policyHandlers({ ports, journal }: Parts) {
  return {
    checkPolicy: async ({ body, scope }) => {
      const judge = await ports.judgeFor(scope.workspace, body.mode ?? null);
      const verdicts = [];
      for (const { interactive = true, ...call } of body.calls)
        verdicts.push(await judge.check({ ...call, interactive }));
      return { verdicts };
    },

    explainPolicy: async ({ body, scope }) => {
      const { interactive = true, ...call } = body.call;
      const judge = await ports.judgeFor(scope.workspace, body.mode ?? null);
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
