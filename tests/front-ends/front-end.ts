import { join } from 'node:path';
import { RemoteClient } from '@countersign/attach';
import type { ApprovalRow } from '@countersign/engine';
import type { Ack, JsonObject, Outcome } from '@countersign/protocol';
import { sqliteJournal } from '@countersign/store-sqlite';
import type { Place } from '../cli/program.js';

export type Wanted = { readonly name: string; readonly args: JsonObject };

/** A question as the front end shows it. */
export type Shown = {
  /** Names the file or the command that it is about. */
  readonly title: string;
  /** Null where the front end does not say it. */
  readonly digest: string | null;
};

export type Start = {
  readonly place: Place;
  /** The calls of a batch are wanted together; the next batch when all of them have ended. */
  readonly batches: readonly (readonly Wanted[])[];
  /** A file of rules. */
  readonly policy?: string;
};

/** What a front end shows of questions, and takes as answers. */
export interface Questions {
  /** Every question that it has put so far, oldest first. */
  shown(): readonly Shown[];
  /** The titles of those that it shows as waiting now. */
  waiting(): Promise<readonly string[]>;
  answer(title: string, outcome: Outcome): Promise<void>;
}

/** A front end at work on a session in the store of a place. */
export interface FrontEnd extends Questions {
  cancel(): Promise<void>;
  /** Whether each call was carried out, in the order in which they were wanted. */
  ended(): Promise<readonly ('done' | 'not done')[]>;
}

export type StartFrontEnd = (start: Start) => Promise<FrontEnd>;

export const writing = (path: string, content = `content of ${path}`): Wanted => ({
  name: 'write_file',
  args: { file_path: path, content },
});

const LOOK_EVERY_MS = 10;
const WAIT_MS = 40_000;

export async function until<T>(look: () => T | Promise<T>, what: string): Promise<NonNullable<T>> {
  const giveUpAt = performance.now() + WAIT_MS;
  for (;;) {
    const found = await look();
    if (found) return found;
    if (performance.now() > giveUpAt) throw new Error(`Waited for ${what}.`);
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
  }
}

/** Waits until it shows questions about exactly these. */
export const untilWaiting = (front: Questions, ...titles: readonly string[]) =>
  until(
    async () => {
      const waiting = await front.waiting();
      return (
        waiting.length === titles.length &&
        titles.every((title) => waiting.some((each) => each.includes(title)))
      );
    },
    `questions about ${titles.join(', ') || 'nothing'}`,
  );

/** Answers the question about this file or command through the store, as another process does. */
export const answerElsewhere = (place: Place, title: string, outcome: Outcome): Promise<Ack> =>
  sendElsewhere(place, title, ({ callId, question: { digest } }) => ({
    type: 'answer',
    callId,
    digest,
    outcome,
    by: 'somebody else',
  }));

/** Replaces the content that is to be written. */
export const modifyElsewhere = (place: Place, title: string, args: JsonObject): Promise<Ack> =>
  sendElsewhere(place, title, ({ callId, question: { digest } }) => ({
    type: 'modify',
    callId,
    digest,
    args,
    by: 'somebody else',
  }));

async function sendElsewhere(
  place: Place,
  title: string,
  command: (row: ApprovalRow) => Parameters<RemoteClient['send']>[0],
): Promise<Ack> {
  const journal = await sqliteJournal(join(place.home, 'countersign.db'));
  try {
    const row = await until(
      async () => (await journal.approvals()).find((each) => each.title.includes(title)),
      `a question about ${title}`,
    );
    return await new RemoteClient(journal, row.sessionId).send(command(row));
  } finally {
    await journal.close();
  }
}
