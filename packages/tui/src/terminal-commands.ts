import type { CallItem } from '@countersign/client';
import {
  APPROVAL_MODES,
  type ApprovalMode,
  explain,
  type Json,
  type JsonObject,
} from '@countersign/protocol';
import { helpLines, listCommands, type SlashCommand } from './commands/slash-commands.js';
import type { Ending, TerminalPorts } from './ports.js';

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
    run: (_, { onEnd }) => onEnd({ type: 'new session' }),
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
    run: (rest, { ports, onEnd }) =>
      rest === ''
        ? say(ports, 'Name a session (see /sessions): /resume ID')
        : onEnd({ type: 'resume', sessionId: rest }),
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
  try {
    const args = (json === '' ? {} : JSON.parse(json)) as Json;
    if (typeof args === 'object' && args !== null && !Array.isArray(args))
      return call(ports, name, args as JsonObject);
    return say(ports, 'The arguments must be an object: {…}.');
  } catch (thrown) {
    return say(ports, `The arguments are not JSON: ${thrown instanceof Error ? thrown.message : ''}`);
  }
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

function diffOf({ call: { status, ...call } }: CallItem): readonly string[] {
  const display = status === 'success' && 'result' in call ? call.result.returnDisplay : null;
  if (typeof display !== 'object' || display === null || !('fileDiff' in display)) return [];
  return typeof display.fileDiff === 'string' ? [display.fileDiff.trimEnd()] : [];
}
