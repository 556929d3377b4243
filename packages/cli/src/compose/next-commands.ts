import { type FrontEnd, type Journal, readPages } from '@countersign/engine';
import { setupGaps, shellWord } from '@countersign/kernel';
import { type SessionSetup, setupOptions } from '@countersign/protocol';
import type { Io } from '../io/io.js';
import { policySources } from './compose.js';
import { originsOf } from './rule-options.js';
import { optionsFor, setupOf } from './setup.js';

export type SessionInStore = {
  readonly journal: Journal;
  readonly sessionId: string;
  /** As it was given on the command line. */
  readonly store: string | undefined;
};

/** The command that resumes the open calls of a session. */
export const resumeCommand = async (of: SessionInStore, io: Io): Promise<string> =>
  `countersign exec --resume ${shellWord(of.sessionId)}${await optionsOf(of, io)}`;

/** The command that sends another prompt to a session. */
export const promptCommand = async (of: SessionInStore, io: Io): Promise<string> =>
  `countersign --resume ${shellWord(of.sessionId)}${await optionsOf(of, io)} -p "…"`;

/** The command that continues the open work of a session: with the model where there was one, else the calls alone. */
export async function continueCommand(
  of: SessionInStore,
  frontEnd: FrontEnd | null,
  io: Io,
): Promise<string> {
  if (frontEnd === null || !WITH_A_MODEL.includes(frontEnd)) return resumeCommand(of, io);
  return `countersign --resume ${shellWord(of.sessionId)}${await optionsOf(of, io)} -p ""`;
}

const WITH_A_MODEL: readonly FrontEnd[] = ['terminal', 'headless', 'acp', 'server'];

/** The options that a command must repeat to resume a session. */
export type OpenedWith = Parameters<typeof optionsFor>[0] & { readonly store: string | undefined };

/** The command that answers a question from another process. */
export function answerCommand(sessionId: string, callId: string, opened: OpenedWith): string {
  const { store } = opened;
  const where = store === undefined ? '' : ` --store ${shellWord(store)}`;
  const id = shellWord(`${sessionId}/${callId}`);
  return `  countersign approvals answer ${id} proceed_once${where}${optionsFor(opened)}`;
}

/** The options of every command that resumes a session: its store, and the setup recorded in its events. */
async function optionsOf({ journal, sessionId, store }: SessionInStore, io: Io): Promise<string> {
  let was: SessionSetup | null = null;
  let workspace = '';
  for await (const page of readPages(journal, sessionId))
    for (const { event } of page)
      if (event.type === 'session.opened') {
        was = event.setup ?? was;
        workspace = event.workspace;
      }
  const needed = setupOptions(setupGaps(was, was && (await loadedByItself(workspace, io))));
  return `${store === undefined ? '' : ` --store ${shellWord(store)}`}${needed === '' ? '' : ` ${needed}`}`;
}

/** The setup of a process without options in this workspace; null if it cannot be read: then every option is named. */
async function loadedByItself(workspace: string, io: Io): Promise<SessionSetup | null> {
  try {
    const origins = await originsOf({}, io, workspace, () => {});
    return await setupOf(await policySources(origins), [], origins.settings);
  } catch {
    return null;
  }
}
