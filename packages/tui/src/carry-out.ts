import type { CallItem } from '@countersign/client';
import {
  APPROVAL_MODES,
  type ApprovalMode,
  explain,
  type Json,
  type JsonObject,
} from '@countersign/protocol';
import { nearest } from './commands/nearest.js';
import { commandsWith, helpLines, readTyped } from './commands/slash-commands.js';
import type { Ending, PortCommand, TerminalPorts } from './ports.js';

export type CommandParts = {
  readonly ports: TerminalPorts;
  readonly onEnd: (ending: Ending) => void;
  readonly lookElsewhere: () => Promise<number>;
};

const PORT_COMMANDS: readonly PortCommand[] = [
  'compact',
  'export',
  'grants',
  'mcp',
  'model',
  'policy',
  'sessions',
  'stats',
];

/** Does what was typed, and returns the result. `byHand` is the text without what was pasted. */
export async function carryOut(text: string, byHand: string, parts: CommandParts): Promise<void> {
  const { stream, model, noModel } = parts.ports;
  const typed = readTyped(text);
  try {
    switch (typed.type) {
      case 'nothing':
        return;
      case 'prompt':
        if (model() === null) return stream.say('notice', noModel);
        return await stream.submit(typed.text, byHand);
      case 'shell':
        return await call(parts.ports, 'run_shell_command', { command: typed.command });
      case 'command':
        return await command(typed.name, typed.rest, byHand, parts);
    }
  } catch (thrown) {
    stream.say('error', thrown instanceof Error ? thrown.message : String(thrown));
  }
}

async function command(name: string, rest: string, byHand: string, parts: CommandParts): Promise<void> {
  const { ports, onEnd, lookElsewhere } = parts;
  const say = (text: string) => ports.stream.say('notice', text);
  switch (name) {
    case 'help':
      return say(helpLines(commandsWith(ports.prompts.list())).join('\n'));
    case 'quit':
    case 'exit':
      return onEnd({ type: 'quit' });
    case 'clear':
      return onEnd({ type: 'new session' });
    case 'resume':
      return rest === ''
        ? say('Name a session (see /sessions): /resume ID')
        : onEnd({ type: 'resume', sessionId: rest });
    case 'mode':
      return setMode(rest, ports);
    case 'diff':
      return say(changesText(ports));
    case 'tool':
      return typedCall(rest, ports);
    case 'approvals': {
      const count = await lookElsewhere();
      return count === 0 ? say('No approvals are pending in other sessions.') : undefined;
    }
    default: {
      const known = PORT_COMMANDS.find((each) => each === name);
      if (known) return say(await ports.command(known, rest));
      return sayPrompt(name, rest, byHand, ports);
    }
  }
}

/** What is no command of ours may be a prompt of a server. */
async function sayPrompt(name: string, rest: string, byHand: string, ports: TerminalPorts): Promise<void> {
  const { stream, prompts, model, noModel } = ports;
  const said = await prompts.say(name, rest);
  switch (said.type) {
    case 'said':
      if (model() === null) return stream.say('notice', noModel);
      // Only in what the person typed does `@` name files.
      return stream.submit(said.parts, byHand);
    case 'problem':
      return stream.say('notice', said.text);
    case 'unknown': {
      const near = nearest(
        name,
        commandsWith(prompts.list()).map((each) => each.name),
      ).map((each) => `/${each}`);
      const meant = near.length > 0 ? `Did you mean ${near.join(' or ')}?` : '/help lists the commands.';
      return stream.say('notice', `There is no /${name}. ${meant}`);
    }
  }
}

/** A call by a person: that they typed it is their yes, though never to what policy denies. */
async function call({ store, stream }: TerminalPorts, name: string, args: JsonObject): Promise<void> {
  const ack = await store.client.send({
    type: 'call',
    calls: [{ name, args, origin: 'person' }],
    attended: 'somebody',
  });
  if (!ack.ok) stream.say('error', explain(ack.failure).message);
}

function typedCall(rest: string, ports: TerminalPorts): Promise<void> | void {
  const [, name = '', json = ''] = /^(\S*)\s*([\s\S]*)$/.exec(rest) ?? [];
  const say = (text: string) => ports.stream.say('notice', text);
  if (name === '') return say('Name a tool and its arguments: /tool read_file {"file_path": "README.md"}');
  try {
    const args = (json === '' ? {} : JSON.parse(json)) as Json;
    if (typeof args === 'object' && args !== null && !Array.isArray(args))
      return call(ports, name, args as JsonObject);
    return say('The arguments must be an object: {…}.');
  } catch (thrown) {
    return say(`The arguments are not JSON: ${thrown instanceof Error ? thrown.message : ''}`);
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
