import type { CallItem } from '@countersign/client';
import { APPROVAL_MODES, type ApprovalMode, explain, type JsonObject } from '@countersign/protocol';
import { changeIn } from './cards/card-rows.js';
import { helpLines, listCommands, type SlashCommand } from './commands/slash-commands.js';
import { readArguments } from './dialogs/inline-edit.js';
import type { Ending, NextSession, TerminalPorts } from './ports.js';

export type CommandParts = {
  readonly ports: TerminalPorts;
  readonly onEnd: (ending: Ending) => void;
  readonly lookElsewhere: () => Promise<number>;
};

type TerminalCommand = SlashCommand & {
  readonly run: (rest: string, parts: CommandParts) => Promise<void> | void;
};

/** The commands that are about the terminal and its session; those of the program come with the ports. */
export const TERMINAL_COMMANDS: readonly TerminalCommand[] = [
  {
    name: 'help',
    args: '',
    help: 'list commands and keys',
    run: (_, { ports }) => say(ports, helpLines(commandsOf(ports)).join('\n')),
  },
  {
    name: 'approvals',
    args: '',
    help: 'answer pending approvals, also of other sessions',
    run: async (_, { ports, lookElsewhere }) => {
      if ((await lookElsewhere()) === 0) say(ports, 'No approvals are pending in other sessions.');
    },
  },
  {
    name: 'clear',
    args: '',
    help: 'start a new session; this one is kept',
    run: (_, parts) => switchTo({ type: 'new session' }, parts),
  },
  {
    name: 'diff',
    args: '',
    help: 'show the changes of this session',
    run: (_, { ports }) => say(ports, changesText(ports)),
  },
  {
    name: 'mode',
    args: '[MODE]',
    help: 'plan, manual, auto_edit, yolo, confirm_always (shift-tab)',
    run: (rest, { ports }) => setMode(rest, ports),
  },
  {
    name: 'quit',
    args: '',
    help: 'exit; open calls can be resumed',
    run: (_, { onEnd }) => onEnd({ type: 'quit' }),
  },
  {
    name: 'resume',
    args: 'ID',
    help: 'continue another session',
    run: (rest, parts) =>
      rest === ''
        ? say(parts.ports, 'Name a session (see /sessions): /resume ID')
        : switchTo({ type: 'resume', sessionId: rest }, parts),
  },
  {
    name: 'tool',
    args: 'NAME {…}',
    help: 'call a tool yourself, with arguments as JSON',
    run: (rest, { ports }) => typedCall(rest, ports),
  },
];

/** All that can be typed after a slash now. */
export const commandsOf = ({ commands, prompts }: TerminalPorts): readonly SlashCommand[] =>
  listCommands([...TERMINAL_COMMANDS, ...commands], prompts.list());

const say = ({ stream }: TerminalPorts, text: string): void => stream.say('notice', text);

/** The screen of this session is left only after the next session is open. */
async function switchTo(next: NextSession, { ports, onEnd }: CommandParts): Promise<void> {
  const problem = await ports.openNext(next);
  if (problem === null) onEnd(next);
  else ports.stream.say('error', problem);
}

/** A call by a person: that they typed it is their yes, though never to what policy denies. */
export async function call({ store, stream }: TerminalPorts, name: string, args: JsonObject): Promise<void> {
  const ack = await store.client.send({
    type: 'call',
    calls: [{ name, args, origin: 'person' }],
    attended: 'somebody',
  });
  if (!ack.ok) stream.say('error', explain(ack.failure).message);
}

function typedCall(rest: string, ports: TerminalPorts): Promise<void> | void {
  const [, name = '', json = ''] = /^(\S*)\s*([\s\S]*)$/.exec(rest) ?? [];
  if (name === '')
    return say(ports, 'Name a tool and its arguments: /tool read_file {"file_path": "README.md"}');
  const read = readArguments(json || '{}');
  return read.ok ? call(ports, name, read.args) : say(ports, read.problem);
}

async function setMode(wanted: string, ports: TerminalPorts): Promise<void> {
  const { store, stream } = ports;
  const mode = APPROVAL_MODES.find((each) => each === wanted);
  if (!mode)
    return stream.say(
      'notice',
      `The mode is ${store.view().mode}. Others: /mode ${APPROVAL_MODES.join(' | ')}`,
    );
  await changeMode(mode, ports);
}

export async function changeMode(mode: ApprovalMode, { store, stream, by }: TerminalPorts): Promise<void> {
  const ack = await store.client.send({ type: 'set-mode', mode, by });
  if (!ack.ok) stream.say('error', explain(ack.failure).message);
}

/** What shift-tab goes through. What asks for less than that is chosen by name. */
const IN_TURN: readonly ApprovalMode[] = ['manual', 'auto_edit', 'plan'];
export const modeAfter = (mode: ApprovalMode): ApprovalMode =>
  IN_TURN[(IN_TURN.indexOf(mode) + 1) % IN_TURN.length] ?? 'manual';

/** The changes of this session, in the order in which they were made. */
function changesText({ store }: TerminalPorts): string {
  const { settled, open } = store.view();
  const diffs = [...settled, ...open].flatMap((item) => (item.kind === 'call' ? diffOf(item) : []));
  return diffs.length === 0 ? 'This session has changed no file.' : diffs.join('\n');
}

function diffOf({ call }: CallItem): readonly string[] {
  const change = call.status === 'success' ? changeIn(call.result.returnDisplay) : null;
  return change ? [change.fileDiff.trimEnd()] : [];
}
