import { existsSync, mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type AgentEvent, type AgentHooks, SessionHooks } from '@countersign/agent';
import { memoryJournal } from '@countersign/engine';
import { hooksInForce, readHooks, runHooks } from '@countersign/hooks';
import { testTool } from '@countersign/testkit';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
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

test('messages of hooks to the user arrive as notices, those of the session also without a prompt [H1]', async () => {
  const saying = (systemMessage: string) => `echo '${JSON.stringify({ systemMessage })}'`;
  const all = await hooks({
    SessionStart: saying('one'),
    BeforeModel: saying('two'),
    AfterAgent: saying('three'),
    SessionEnd: saying('four'),
  });
  const messages: string[] = [];
  const sessionHooks = new SessionHooks(all);
  await sessionHooks.start('startup', (text) => messages.push(text));
  expect(messages).toEqual(['one']);
  const { say, live } = await working([[{ text: 'ok' }]], [], { hooks: all, sessionHooks });
  const { events } = await say('go');
  expect(noticesIn(events)).toEqual(['two', 'three']);
  expect(await sessionHooks.end('exit')).toBe('four');
  await live.session.dispose();
});

test('the first prompt waits for the hooks of the start, whose context it carries once [H1]', async () => {
  const answer = JSON.stringify({ hookSpecificOutput: { additionalContext: 'on main' } });
  const sessionHooks = new SessionHooks(await hooks({ SessionStart: `sleep 0.3; echo '${answer}'` }));
  void sessionHooks.start('startup', () => {});
  const { say, live } = await working([[{ text: 'ok' }], [{ text: 'ok' }]], [], { sessionHooks });
  await say('go');
  await say('again');
  const said = live.conversation.messages.flatMap(({ role, parts }) => (role === 'user' ? [parts] : []));
  expect(said).toEqual([
    [{ text: '<hook_context>on main</hook_context>' }, { text: 'go' }],
    [{ text: 'again' }],
  ]);
  await live.session.dispose();
});

test('a prompt can be cancelled while hooks of the start run; ending the session ends them [H1, L5]', async () => {
  const sessionHooks = new SessionHooks(await hooks({ SessionStart: 'sleep 20', SessionEnd: 'cat > ended' }));
  void sessionHooks.start('startup', () => {});
  const { say, live } = await working([], [], { sessionHooks });
  expect((await say('go', AbortSignal.timeout(50))).ending).toEqual({ type: 'cancelled' });
  await sessionHooks.end('clear');
  expect(JSON.parse(readFileSync(join(place, 'ended'), 'utf8'))).toMatchObject({ reason: 'clear' });
  await live.session.dispose();
});

describe('AfterAgent with clearContext', () => {
  const clearing = (answer: object) =>
    `echo '${JSON.stringify({ ...answer, hookSpecificOutput: { clearContext: true } })}'`;

  test('lets the model forget the conversation, which stays in the journal [H1]', async () => {
    const journal = memoryJournal({ keep: 'all' });
    const { say, live, provider } = await working([[{ text: 'one' }], [{ text: 'two' }]], [], {
      journal,
      hooks: await hooks({ AfterAgent: clearing({}) }),
    });
    expect(noticesIn((await say('first')).events)).toEqual([expect.stringContaining('cleared the context')]);
    await say('second');
    expect(provider.requests[1]?.contents).toEqual([{ role: 'user', parts: [{ text: 'second' }] }]);
    expect(live.conversation.messages).toHaveLength(4);
    await live.session.dispose();
    const resumed = await working([[{ text: 'three' }]], [], { journal });
    await resumed.say('third');
    expect(resumed.provider.requests[0]?.contents).toEqual([{ role: 'user', parts: [{ text: 'third' }] }]);
    await resumed.live.session.dispose();
  });

  test('and a refusal starts over with the reason alone [H1]', async () => {
    const { say, live, provider } = await working([[{ text: 'one' }], [{ text: 'two' }]], [], {
      hooks: await hooks({
        AfterAgent: `grep -q '"stop_hook_active":true' || ${clearing({ decision: 'deny', reason: 'again' })}`,
      }),
    });
    expect((await say('first')).ending).toEqual({ type: 'answered' });
    expect(provider.requests[1]?.contents).toEqual([{ role: 'user', parts: [{ text: 'again' }] }]);
    await live.session.dispose();
  });

  test('and an end of the agent clears it, too [H1]', async () => {
    const { say, live } = await working([[{ text: 'one' }]], [], {
      hooks: await hooks({ AfterAgent: clearing({ continue: false, stopReason: 'enough' }) }),
    });
    expect(noticesIn((await say('first')).events)).toContain('enough');
    expect(live.conversation.contents()).toEqual([]);
    await live.session.dispose();
  });
});

const noticesIn = (events: readonly AgentEvent[]): readonly string[] =>
  events.flatMap((event) => (event.type === 'notice' ? [event.value] : []));

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
