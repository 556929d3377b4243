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

/** What to type to resume what is open in a session. */
export const howToTakeUp = async (of: SessionInStore, io: Io): Promise<string> =>
  `countersign exec --resume ${shellWord(of.sessionId)}${await optionsOf(of, io)}`;

/** What to type to say more to the model of a session. */
export const howToGoOn = async (of: SessionInStore, io: Io): Promise<string> =>
  `countersign --resume ${shellWord(of.sessionId)}${await optionsOf(of, io)} -p "…"`;

/** What to type to continue what is open: with the model where there was one, else the calls alone. */
export async function howToContinue(of: SessionInStore, frontEnd: FrontEnd | null, io: Io): Promise<string> {
  if (frontEnd === null || !WITH_A_MODEL.includes(frontEnd)) return howToTakeUp(of, io);
  return `countersign --resume ${shellWord(of.sessionId)}${await optionsOf(of, io)} -p ""`;
}

const WITH_A_MODEL: readonly FrontEnd[] = ['terminal', 'headless', 'acp', 'server'];

/** What a session was opened with, as far as a command that takes it up must name it. */
export type TakenUpWith = Parameters<typeof optionsFor>[0] & { readonly store: string | undefined };

/** What to type to answer a question, from anywhere on this machine. */
export function howToAnswer(sessionId: string, callId: string, opened: TakenUpWith): string {
  const { store } = opened;
  const where = store === undefined ? '' : ` --store ${shellWord(store)}`;
  const id = shellWord(`${sessionId}/${callId}`);
  return `  countersign approvals answer ${id} proceed_once${where}${optionsFor(opened)}`;
}

/** The options of every command that takes a session up: its store, and what its own facts say it was opened with. */
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

/** What a process loads in this workspace without being told; null where that cannot be found out: then all is named. */
async function loadedByItself(workspace: string, io: Io): Promise<SessionSetup | null> {
  try {
    const origins = await originsOf({}, io, workspace, () => {});
    return await setupOf(await policySources(origins), [], origins.settings);
  } catch {
    return null;
  }
}
