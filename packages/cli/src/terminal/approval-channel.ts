import {
  CHANNELS,
  type Channel,
  type ChannelName,
  TerminalChannel,
  type TerminalParts,
} from '@countersign/channels';
import type { SessionClient } from '@countersign/client';
import type { Toolbox } from '@countersign/engine';
import { type EditorName, editCall } from '@countersign/tools';
import { answerCommand, type OpenedWith } from '../compose/next-commands.js';
import { type Io, printJson, say } from '../io/io.js';

/** What a person can change waiting calls with. */
export type Editing = {
  /** To put a person's own version of a file's content into the arguments. */
  readonly tools: Pick<Toolbox, 'get'>;
  /** Left out: what VISUAL or EDITOR says. */
  readonly editor?: EditorName | undefined;
};

/** The channel through which a command asks. */
export function openChannel(
  name: ChannelName,
  client: SessionClient,
  editing: Editing,
  options: OpenedWith,
  io: Io,
): Channel {
  return CHANNELS[name].open({
    client,
    say: (text) => say(io, text),
    print: (value) => printJson(io, value),
    answerCommand: (callId) => answerCommand(client.sessionId, callId, options),
    terminal: terminalParts(editing, io),
  });
}

/** `onLine` is told of what is typed while nothing is asked. */
export const openTerminal = (
  client: SessionClient,
  editing: Editing,
  io: Io,
  onLine?: (line: string) => void,
): TerminalChannel =>
  new TerminalChannel(client, { ...terminalParts(editing, io), ...(onLine && { onLine }) });

const terminalParts = ({ tools, editor }: Editing, io: Io): TerminalParts => ({
  ...io,
  edit: (call, signal, onOpen) =>
    editCall(call, tools.get(call.request.name), { editor, signal, env: io.env, onOpen }),
});
