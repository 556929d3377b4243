import type { Tool } from '@countersign/engine';
import { scriptedProvider } from '@countersign/models';
import { afterEach, expect, test } from 'vitest';
import { must, Serving, until } from './serving.js';

let serving: Serving | null = null;
afterEach(async () => {
  await serving?.close();
  serving = null;
});

const HALF = /\p{Surrogate}/u;

test.each([
  ['a text', { text: 'cut \ud83d' }],
  ['parts', { parts: [{ text: 'cut' }, { text: '\ude00 off' }] }],
])(
  'half a character in %s leaves the session readable everywhere, its copy too [J1]',
  async (_what, body) => {
    serving = await Serving.start({ provider: scriptedProvider([[{ text: 'half \ud83d' }]]) });
    const client = serving.client();
    const { sessionId } = must(await client.createSession({ body: {} }));
    must(await client.sendMessage({ sessionId, body }));
    await until(async () => must(await client.showSession({ sessionId })).state === 'idle');
    await until(async () => JSON.stringify(must(await client.listFacts({ sessionId }))).includes('"model"'));

    const fork = must(await client.forkSession({ sessionId, body: {} }));
    const { sessions } = must(await client.listSessions({}));
    expect(sessions.map(({ damaged }) => damaged)).toEqual([undefined, undefined]);
    must(await client.statistics({}));
    for (const id of [sessionId, fork.sessionId]) {
      const stored = (await serving.journal.read(id, 0)).filter(
        ({ event }) => event.type === 'message.added',
      );
      expect(stored).toHaveLength(2);
      expect(textsIn(stored)).toContain('\ufffd');
      expect(textsIn(stored)).not.toMatch(HALF);
    }
  },
);

test('half a character in the feedback of an answer is stored as a replacement, and the same answer counts as repeated [J1] [S2]', async () => {
  serving = await Serving.start();
  const asked = await serving.ask('one');
  const client = serving.client();
  const answer = { ...asked, outcome: 'cancel' as const, payload: { feedback: 'no \ud83d' } };
  expect(must(await client.answerApproval({ body: answer }))).toMatchObject({ repeated: false });
  expect(must(await client.answerApproval({ body: answer }))).toMatchObject({ repeated: true });
  const stored = textsIn(await serving.journal.read(asked.sessionId, 0));
  expect(stored).toContain('no \ufffd');
  expect(stored).not.toMatch(HALF);
});

test('half a character in the output of a tool is stored as a replacement [J1]', async () => {
  const tool: Tool = {
    name: 'cut',
    displayName: 'Cut',
    description: 'Cuts through a character.',
    kind: 'other',
    inputSchema: { type: 'object' },
    canUpdateOutput: false,
    check: (args) => ({ ok: true, args }),
    plan: () => ({ title: 'Cut', resources: [{ kind: 'opaque', why: 'it cuts' }], repeat: 'unsafe' }),
    run: async () => ({ llmContent: 'a \ud83d', returnDisplay: [{ text: '\ude00' }] }),
  };
  serving = await Serving.start({ tools: [tool] });
  const client = serving.client();
  const { sessionId } = must(await client.createSession({ body: {} }));
  const body = { calls: [{ callId: 'c', name: 'cut', args: {} }] };
  must(await client.issueCalls({ sessionId, body }));
  const digest = await serving.digestOf(sessionId, 'c');
  must(await client.answerApproval({ body: { sessionId, callId: 'c', digest, outcome: 'proceed_once' } }));
  const stored = await until(async () => {
    const text = textsIn(await serving?.journal.read(sessionId, 0));
    return text.includes('call.succeeded') ? text : undefined;
  });
  expect(stored).toContain('a \ufffd');
  expect(stored).not.toMatch(HALF);
});

/** As texts, and not as JSON, which writes half a character as an escape. */
function textsIn(value: unknown): string {
  if (typeof value === 'string') return value;
  if (typeof value !== 'object' || value === null) return '';
  return Object.values(value).map(textsIn).join(' ');
}
