import type { WantedCall } from '@countersign/protocol';
import type { TurnOutcome, TurnResults } from '../notes/turn-results.js';
import { readBatch } from '../planning/requests.js';
import type { Toolbox } from '../tool/toolbox.js';
import type { Lifetime } from './lifetime.js';
import type { Mailbox } from './mailbox.js';
import type { BatchOptions, BatchOutcome } from './open-options.js';

type Host = {
  readonly tools: Toolbox;
  readonly lifetime: Lifetime;
  readonly mailbox: Mailbox;
  readonly results: TurnResults;
  readonly now: () => number;
};

/** Calls that are all known at once: a turn from its request to its end. They come back in request order. */
export async function runBatch(
  wanted: readonly WantedCall[],
  options: BatchOptions,
  { tools, lifetime, mailbox, results, now }: Host,
): Promise<BatchOutcome> {
  if (lifetime.refusal) return { ok: false, failure: lifetime.refusal };
  const { signal, start = 'as_granted', attended = 'somebody', whenBusy = 'queue' } = options;
  const at = now();
  let outcome: Promise<TurnOutcome> | undefined;
  const accepted = await mailbox.submit(
    // Without a name of its own, or this function would hold on to what it read until the turn is over.
    {
      type: 'call',
      calls: readBatch(wanted, tools, at),
      start,
      attended: attended === 'somebody',
      whenBusy,
      at,
    },
    {
      onTurn: (turn, callIds) => {
        outcome = whenBusy === 'join' ? results.waitForCalls(turn, callIds) : results.wait(turn);
        options.onTurn?.(turn, callIds);
      },
    },
  );
  if (!accepted.ok) return accepted;
  const { turn = 0, callIds = [] } = accepted;
  const cancel = () => {
    if (whenBusy !== 'join') mailbox.cancel({ type: 'turn', turn }, 'caller');
    else for (const callId of callIds) mailbox.cancel({ type: 'call', callId }, 'caller');
  };
  if (signal?.aborted) cancel();
  else signal?.addEventListener('abort', cancel);
  const ended = await outcome;
  signal?.removeEventListener('abort', cancel);
  return ended?.ok
    ? { ok: true, turn, calls: ended.calls }
    : { ok: false, failure: ended?.failure ?? { code: 'disposed' } };
}
