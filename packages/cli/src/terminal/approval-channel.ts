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

/** How the user can edit a pending call. */
export type Editing = {
  /** To put an edited file content into the arguments of the call. */
  readonly tools: Pick<Toolbox, 'get'>;
  /** Default: VISUAL or EDITOR. */
  readonly editor?: EditorName | undefined;
};

/** The approval channel of a command. */
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
    answerCommand: (call) => answerCommand(client.sessionId, call, options),
    terminal: terminalParts(editing, io),
  });
}

/** `onLine` receives lines typed while no question is open. */
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
