import { mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { memoryJournal, openSession, type SessionShell } from '@countersign/engine';
import { visible } from '@countersign/kernel';
import type { AwaitingCall, SettledCall, WantedCall } from '@countersign/protocol';
import { sessionParts } from './compose.js';
import { resultLine } from './exec/result-line.js';
import { EXIT, type ExitCode } from './exit-codes.js';
import { CommandFailure } from './failure-text.js';
import { follow } from './follow.js';
import type { Io } from './io.js';
import { expectNoMore, readOptions } from './options.js';
import { TerminalApprover } from './terminal/approver.js';
import { questionText } from './terminal/question-text.js';

const POEM = 'Trust is a fine thing.\nA log is finer.\n';
const BATCH: readonly WantedCall[] = [
  { callId: 'look', name: 'list_directory', args: { dir_path: '.' } },
  { callId: 'read', name: 'read_file', args: { file_path: 'poem.txt' } },
  { callId: 'typo', name: 'raed_file', args: { file_path: 'poem.txt' } },
  {
    callId: 'edit',
    name: 'write_file',
    args: { file_path: 'poem.txt', content: 'Trust is a fine thing.\nA countersigned log is finer.\n' },
  },
  { callId: 'check', name: 'read_file', args: { file_path: 'poem.txt' } },
];

/** `countersign demo`: what a model might ask for, with real tools and a real approval, in a folder made for it. */
export async function demo(args: readonly string[], io: Io): Promise<ExitCode> {
  const { values, positionals } = readOptions('demo', args, { keep: { type: 'boolean' } });
  expectNoMore('demo', positionals);
  const workspace = await realpath(await mkdtemp(join(tmpdir(), 'countersign-demo-')));
  const write = (text: string) => io.stdout.write(`${text}\n`);
  try {
    await writeFile(join(workspace, 'poem.txt'), POEM);
    write(`A scripted model works in ${workspace}, which holds poem.txt.\n`);
    write('It asks for five things at once:');
    for (const { name, args: wanted } of BATCH) write(`  ${name} ${JSON.stringify(wanted)}`);
    write('\nReads that conflict with nothing run at once. The edit waits for you, and the');
    write('last read waits for the edit, since it reads what the edit would write.');

    const calls = await play(workspace, io, write);
    const edited = calls.find(({ request }) => request.callId === 'edit');
    write(`\nThe file now reads:\n${indent(await readFile(join(workspace, 'poem.txt'), 'utf8'))}`);
    if (edited?.status === 'success') write('What you were shown is what was written.');
    else if (edited?.status === 'cancelled' && edited.reason.type === 'aborted') return EXIT.interrupted;
    else if (edited?.status === 'cancelled') write('You said no, so it was left as it was.');
    write(
      '\nYour turn:\n  npx countersign exec \'{"name":"list_directory","args":{"dir_path":"."}}\'\n  npx countersign help',
    );
    return EXIT.ok;
  } finally {
    if (values.keep) write(`\nThe folder is kept: ${workspace}`);
    else await rm(workspace, { recursive: true, force: true });
  }
}

async function play(
  workspace: string,
  io: Io,
  write: (text: string) => void,
): Promise<readonly SettledCall[]> {
  const surroundings = {
    store: ':memory:',
    workspace,
    policyFiles: [],
    toolModules: [],
    session: 'new',
    flags: { approvalMode: 'manual' },
    env: io.env,
    onNotice: () => {},
    onMessage: () => {},
    onTrouble: () => {},
  } as const;
  const { parts } = await sessionParts(surroundings);
  const opened = await openSession({ ...parts, journal: memoryJournal(), sessionId: 'demo' });
  if (!opened.ok) throw new CommandFailure(opened.failure);
  const { session } = opened;
  const interactive = io.stdin.isTTY === true && io.stderr.isTTY === true;
  const approver = interactive ? new TerminalApprover({ io, client: session, tools: parts.tools }) : null;
  const stop = new AbortController();
  const following = follow(session, stop.signal, {
    onSettled: (call) => {
      const print = () => write(`\n${summary(call)}`);
      if (approver) approver.beside(print);
      else print();
    },
    onNoLongerAsked: (callId, by) => approver?.withdraw(callId, by),
    onAsked: (call) => (approver ? approver.ask(call) : void answerAlone(session, call, write)),
  });
  const stopListening = io.onInterrupt(
    () => void session.send({ type: 'cancel', target: { type: 'all' }, by: 'terminal' }),
  );
  try {
    const outcome = await session.schedule(BATCH);
    if (!outcome.ok) throw new CommandFailure(outcome.failure);
    return outcome.calls;
  } finally {
    stopListening();
    approver?.close();
    await session.dispose();
    await following;
  }
}

async function answerAlone(
  session: SessionShell,
  call: AwaitingCall,
  write: (text: string) => void,
): Promise<void> {
  write(questionText({ title: call.plan.title, ...call }, { colour: false, extent: 'whole' }).text);
  write('\nThere is no terminal to ask in, so the demonstration says yes by itself.');
  const { callId } = call.request;
  const { digest } = call.question;
  await session.send({ type: 'answer', callId, digest, outcome: 'proceed_once', by: 'the demonstration' });
}

function summary(call: SettledCall): string {
  const { status, output, error } = resultLine(call);
  const mark = { success: '✓', error: '✗', cancelled: '–' }[status];
  const text = error ? [error.message, error.hint ?? ''].join('\n') : String(output);
  return `${mark} ${call.request.name} (${status})\n${indent(text)}`;
}

const indent = (text: string) => visible(text).trimEnd().replace(/^/gm, '    ');
