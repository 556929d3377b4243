import type { JournalFacts, Recorded } from './facts.js';

/** Facts read from a journal at a time: enough to be quick, few enough that others get their turn. */
export const FACTS_PER_PAGE = 500;
/** Characters of the journal's text read at a time; one append may be longer. */
const CHARS_PER_PAGE = 2_000_000;

/** All facts of a session from a place on, a page at a time: a long session is never in memory as a whole. */
export async function* readPages(
  journal: Pick<JournalFacts, 'read'>,
  sessionId: string,
  fromSeq = 0,
  charsPerPage = CHARS_PER_PAGE,
): AsyncGenerator<readonly Recorded[]> {
  for (let next = fromSeq; ; ) {
    const page = await readPage(journal, sessionId, next, charsPerPage);
    const last = page.at(-1);
    if (!last) return;
    next = last.seq + 1;
    yield page;
  }
}

export const readPage = (
  journal: Pick<JournalFacts, 'read'>,
  sessionId: string,
  fromSeq: number,
  charsPerPage = CHARS_PER_PAGE,
): Promise<readonly Recorded[]> => journal.read(sessionId, fromSeq, FACTS_PER_PAGE, charsPerPage);
