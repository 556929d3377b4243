import type { AgentEvent } from '@countersign/agent';
import { memoryJournal } from '@countersign/engine';
import { scriptedProvider } from '@countersign/models';
import { openAgent } from '../compose/compose-agent.js';
import { EXIT, type ExitCode } from '../io/exit-codes.js';
import { CommandFailure, messageHandlers } from '../io/failure-text.js';
import type { Io } from '../io/io.js';
import { IN_MEMORY } from '../options/options.js';
import { openTerminal } from '../terminal/approval-channel.js';
import { accountOf } from './account.js';
import { type Answering, answerUnattended } from './answering.js';
import { Narration } from './narration.js';
import { PAUSE_MS, PROMPT, scriptWithPauses } from './scenes.js';
import type { Stage } from './stage.js';

/** Plays the scenes in a session of its own, and prints what happens. */
export async function play(stage: Stage, answering: Answering, io: Io): Promise<ExitCode> {
  const { workspace } = stage;
  const print = (text: string) => void io.stdout.write(`${text}\n`);
  const narration = new Narration(print);
  const script = scriptWithPauses(answering === 'person' ? PAUSE_MS : 0);
  const { agent, live, tools, leave } = await openAgent({
    ...messageHandlers(io),
    frontEnd: 'command',
    store: IN_MEMORY,
    workspace,
    policyFiles: [stage.rules],
    toolModules: [],
    session: 'new',
    flags: { approvalMode: 'manual' },
    env: { ...io.env, COUNTERSIGN_HOME: stage.home },
    journal: memoryJournal(),
    servers: 'none',
    sessionId: 'demo',
    attended: 'somebody',
    modelFlag: undefined,
    limits: {},
    fakeResponses: undefined,
    modelInUse: { provider: scriptedProvider(script), model: 'scripted' },
  });
  const { session } = live;
  const approver = answering === 'person' ? openTerminal(session, { tools }, io) : null;
  const onEvent = (event: AgentEvent) => {
    if (event.type === 'tool_call_confirmation') return ask(event.value.callId);
    if (event.type === 'tool_call_response') approver?.withdraw(event.value.callId, null);
    if (approver) approver.printAside(() => narration.onEvent(event));
    else narration.onEvent(event);
  };
  const ask = (callId: string) => {
    const asked = session.snapshot().find(({ request }) => request.callId === callId);
    if (asked?.status !== 'awaiting_approval') return;
    if (answering === 'person') approver?.offer(asked);
    else void answerUnattended(session, asked, answering, print);
  };

  const stop = new AbortController();
  const end = () => stop.abort();
  const stopListening = live.events.subscribe({
    onFact: (fact) => narration.onFact(fact),
    onLive: (output) => narration.onLive(output),
  });
  const offInterrupt = io.onInterrupt(end);
  io.stdout.on('error', end);
  try {
    print(`A scripted model is working in ${workspace}.`);
    print('The agent, tools and rules are real; no key and no network are used.');
    print(`\nYou: ${PROMPT}`);
    const by = io.env['USER'] ?? 'person';
    const events = agent.prompt([{ text: PROMPT }], { signal: stop.signal, by, promptId: 'demo' });
    for (;;) {
      const next = await events.next();
      if (!next.done) onEvent(next.value);
      else if (next.value.type === 'cancelled') return EXIT.interrupted;
      else if (next.value.type === 'failed') throw new CommandFailure(next.value.failure);
      else break;
    }
    print('\nThe journal has every call, its duration, and who decided:');
    for (const row of accountOf(narration.calls)) print(row);
    print(YOUR_TURN);
    return EXIT.ok;
  } finally {
    stopListening();
    offInterrupt();
    io.stdout.off('error', end);
    approver?.close();
    await leave();
  }
}

const YOUR_TURN = `
Your turn:
  npx countersign -p "what is in this folder?"     with a key, or a local Ollama
  npx countersign exec '{"name":"list_directory","args":{"dir_path":"."}}'
  npx countersign help`;
