import { existsSync, mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AgentHooks } from '@countersign/agent';
import { hooksInForce, readHooks, runHooks } from '@countersign/hooks';
import { testTool } from '@countersign/testkit';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { working } from './working.js';

let place: string;
beforeEach(() => {
  place = realpathSync(mkdtempSync(join(tmpdir(), 'countersign-agent-hooks-')));
});
afterEach(() => rmSync(place, { recursive: true, force: true }));

/** Real commands, as settings have them. */
async function hooks(events: { readonly [event: string]: string }): Promise<AgentHooks> {
  const settings = {
    hooks: Object.fromEntries(
      Object.entries(events).map(([event, command]) => [event, [{ hooks: [{ type: 'command', command }] }]]),
    ),
  };
  const context = {
    hooks: hooksInForce([await readHooks(settings, 'user', 'settings.json')]),
    trusted: new Map(),
    sessionId: 's',
    transcriptPath: '',
    workspace: place,
    plansDirectory: place,
    environment: process.env,
    pass: [],
    lingering: () => {},
  };
  return {
    listens: (event) => Object.hasOwn(events, event),
    run: (event, payload, signal) => runHooks(event, payload, { ...context, signal }),
  };
}

test('PreCompress runs before the conversation is summarised [H1]', async () => {
  const { say, live } = await working(
    ({ system }) => [
      { text: system.includes('summaries') && existsSync(join(place, 'told')) ? 'told before' : 'ok' },
    ],
    [],
    { hooks: await hooks({ PreCompress: 'cat > told' }) },
  );
  await say('x'.repeat(300_000));
  const { events } = await say('y'.repeat(300_000));
  expect(events).toContainEqual({
    type: 'chat_compressed',
    value: expect.objectContaining({ how: 'summarised' }),
  });
  expect(JSON.parse(readFileSync(join(place, 'told'), 'utf8'))).toMatchObject({
    hook_event_name: 'PreCompress',
    trigger: 'auto',
  });
  expect(JSON.stringify(live.conversation.contents()[0])).toContain('told before');
  await live.session.dispose();
});

test.each(['BeforeAgent', 'BeforeModel', 'BeforeToolSelection', 'AfterModel', 'AfterAgent'])(
  'cancelling while a hook for %s runs cancels the work; no hook has refused it [H1, L5]',
  async (event) => {
    const controller = new AbortController();
    const { say, live } = await working([[{ text: 'Hm.' }]], [testTool({ name: 'tool' })], {
      hooks: await hooks({ [event]: 'touch running; sleep 20' }),
    });
    const worked = say('go', controller.signal);
    while (!existsSync(join(place, 'running'))) await new Promise((next) => setTimeout(next, 5));
    controller.abort();
    expect((await worked).ending).toEqual({ type: 'cancelled' });
    await live.session.dispose();
  },
);

test('what hooks want a person to know comes as notices, also what was said before the first prompt [H1]', async () => {
  const saying = (systemMessage: string) => `echo '${JSON.stringify({ systemMessage })}'`;
  const { say, live, agent } = await working([[{ text: 'ok' }]], [], {
    hooks: await hooks({
      SessionStart: saying('one'),
      BeforeModel: saying('two'),
      AfterAgent: saying('three'),
      SessionEnd: saying('four'),
    }),
  });
  await agent.start('startup', new AbortController().signal);
  const { events } = await say('go');
  expect(events.flatMap((event) => (event.type === 'notice' ? [event.value] : []))).toEqual([
    'one',
    'two',
    'three',
  ]);
  expect(await agent.end('exit')).toBe('four');
  await live.session.dispose();
});

test('a hook that answers every request does not become the summary of a conversation [H1, G3]', async () => {
  const llm_response = { candidates: [{ content: { role: 'model', parts: ['canned'] } }] };
  const { say, live, provider } = await working([], [], {
    hooks: await hooks({ BeforeModel: `echo '${JSON.stringify({ hookSpecificOutput: { llm_response } })}'` }),
  });
  await say('x'.repeat(300_000));
  const { events, ending } = await say('y'.repeat(300_000));
  expect([ending.type, provider.requests.length]).toEqual(['answered', 0]);
  expect(events.some(({ type }) => type === 'chat_compressed')).toBe(false);
  expect(live.conversation.contents()).toHaveLength(4);
  await live.session.dispose();
});
