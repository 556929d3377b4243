import { type Journal, readPages } from '@countersign/engine';
import { setupGaps, shellWord } from '@countersign/kernel';
import { type SessionSetup, setupOptions } from '@countersign/protocol';
import { policySources } from './compose.js';
import type { Io } from './io.js';
import { originsOf } from './policy/rule-options.js';
import { setupOf } from './setup.js';

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

/** The options of every command that resumes a session: its store, and what its own facts say it was opened with. */
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
