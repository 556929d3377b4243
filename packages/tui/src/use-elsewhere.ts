import { useCallback, useEffect, useRef, useState } from 'react';
import type { Elsewhere, Waiting } from './ports.js';

/** Other processes may write every few milliseconds; looking this often is soon enough for a person. */
const LOOK_EVERY_MS = 100;

export type QuestionsElsewhere = {
  readonly rows: readonly Waiting[];
  /** Shows what waits in other sessions now; how many there are. */
  readonly look: () => Promise<number>;
  /** Removes a question that was answered here. If its call is asked about again, that is shown. */
  readonly answered: (row: Waiting) => void;
  /** Removes a question that stays open, for another client to answer. */
  readonly leave: (row: Waiting) => void;
};

/** Questions of other sessions, once the user asked for them: each is withdrawn or replaced here as it is there. */
export function useElsewhere(ports: Elsewhere, ownSessionId: string): QuestionsElsewhere {
  const [rows, setRows] = useState<readonly Waiting[]>([]);
  const [isFollowing, setFollowing] = useState(false);
  const followed = useRef(new Set<string>()).current;
  const answeredHere = useRef(new Set<string>()).current;

  const look = useCallback(async () => {
    const found = (await ports.list()).filter(({ sessionId }) => sessionId !== ownSessionId);
    for (const row of found) followed.add(callOf(row));
    setRows(found);
    if (found.length > 0) setFollowing(true);
    return found.length;
  }, [ports, ownSessionId, followed]);

  useEffect(() => {
    if (!isFollowing) return;
    return lookOnChange(ports, (found) => {
      const still = found.filter((row) => followed.has(callOf(row)) && !answeredHere.has(questionKeyOf(row)));
      setRows((before) => replaced(before, still));
    });
  }, [ports, isFollowing, followed, answeredHere]);

  const remove = useCallback((removed: Waiting) => {
    setRows((before) => before.filter((row) => questionKeyOf(row) !== questionKeyOf(removed)));
  }, []);
  const answered = useCallback(
    (row: Waiting) => {
      answeredHere.add(questionKeyOf(row));
      remove(row);
    },
    [answeredHere, remove],
  );
  const leave = useCallback(
    (row: Waiting) => {
      followed.delete(callOf(row));
      remove(row);
    },
    [followed, remove],
  );
  return { rows, look, answered, leave };
}

/** The same as long as the same is asked. */
export const questionKeyOf = (row: Waiting): string => `${callOf(row)} ${row.question.digest}`;

const callOf = ({ sessionId, callId }: Waiting): string => `${sessionId} ${callId}`;

/** A question that is still the same stays the same object, so that it is not drawn anew. */
function replaced(before: readonly Waiting[], now: readonly Waiting[]): readonly Waiting[] {
  const rows = now.map((row) => before.find((each) => questionKeyOf(each) === questionKeyOf(row)) ?? row);
  const isSame = rows.length === before.length && rows.every((row, index) => row === before[index]);
  return isSame ? before : rows;
}

/** Lists at once and after each change, one listing at a time. Returns how to stop. */
function lookOnChange(ports: Elsewhere, onListed: (rows: readonly Waiting[]) => void): () => void {
  let isStopped = false;
  let isLooking = false;
  let lookAgain = false;
  const look = async () => {
    lookAgain = true;
    if (isLooking) return;
    isLooking = true;
    while (lookAgain && !isStopped) {
      lookAgain = false;
      // What is shown stays if the store cannot be read: an answer then reports what is wrong.
      const rows = await ports.list().catch(() => null);
      if (rows !== null && !isStopped) onListed(rows);
      await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS).unref());
    }
    isLooking = false;
  };
  const unwatch = ports.watch(() => void look());
  void look();
  return () => {
    isStopped = true;
    unwatch();
  };
}
