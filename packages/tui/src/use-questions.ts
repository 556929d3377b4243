import { type Ack, type AwaitingCall, explain } from '@countersign/protocol';
import { useMemo, useRef, useState } from 'react';
import type { Pending, QuestionActions, QueuePlace } from './dialogs/pending.js';
import type { OnTerminal, TerminalPorts, Waiting } from './ports.js';
import { questionKeyOf, useElsewhere } from './use-elsewhere.js';

export type Questions = {
  /** The one on the screen; null if nothing waits. */
  readonly current: { readonly pending: Pending; readonly place: QueuePlace } | null;
  readonly count: number;
  readonly actions: QuestionActions;
  /** Adds the questions of other sessions to the queue; resolves to their number. */
  readonly lookElsewhere: () => Promise<number>;
};

/** The questions for this user, one after the other. */
export function useQuestions(
  ports: TerminalPorts,
  waiting: readonly AwaitingCall[],
  onTerminal: OnTerminal,
): Questions {
  const elsewhere = useElsewhere(ports.elsewhere, ports.store.client.sessionId);
  const [wanted, setWanted] = useState<string | null>(null);
  const [seen, setSeen] = useState<ReadonlySet<string>>(new Set());
  const seenNow = useRef(seen);
  seenNow.current = seen;
  const known = useRef(new WeakMap<object, Pending>()).current;
  const queue = useMemo(() => {
    const remembered = <T extends object>(of: T, make: (of: T) => Pending): Pending => {
      const pending = known.get(of) ?? make(of);
      known.set(of, pending);
      return pending;
    };
    return [
      ...waiting.filter(({ step }) => step === 'asked').map((call) => remembered(call, ownPending)),
      ...elsewhere.rows.map((row) => remembered(row, otherPending)),
    ];
  }, [waiting, elsewhere.rows, known]);
  const latest = useRef(queue);
  latest.current = queue;
  const index = placeIn(queue, wanted);
  const pending = queue[index];

  const { look: lookElsewhere, answered, leave } = elsewhere;
  const actions = useMemo((): QuestionActions => {
    const { client } = ports.store;
    const answer: QuestionActions['answer'] = async (to, outcome, payload) => {
      const { digest } = to.question;
      const row = waitingOf(to);
      const ack = row
        ? await ports.elsewhere.answer(row, outcome, payload)
        : await client.send({
            type: 'answer',
            callId: to.request.callId,
            digest,
            outcome,
            by: ports.by,
            ...(payload && { payload }),
          });
      if (row && ack.ok) answered(row);
      return problemOf(ack);
    };
    const modify: QuestionActions['modify'] = async ({ request: { callId }, question: { digest } }, args) =>
      problemOf(await client.send({ type: 'modify', callId, digest, args, by: ports.by }));
    return {
      answer,
      modify,
      editInEditor: async (to) => {
        const edited = await ports.editCall(to, onTerminal);
        const problem = edited.ok
          ? edited.changed
            ? await modify(to, edited.args)
            : 'nothing was changed'
          : edited.problem;
        if (problem !== null) ports.stream.say('notice', `The question is unchanged: ${problem}`);
        return problem;
      },
      agreeToAll: async () => {
        // A question that appeared just now has not been seen.
        const shown = latest.current.filter(({ key }) => seenNow.current.has(key));
        const problems = await Promise.all(shown.map((each) => answer(each, 'proceed_once')));
        return problems.find((problem) => problem !== null) ?? null;
      },
      onTurn: (by) =>
        setWanted((now) => {
          const all = latest.current;
          return all[(placeIn(all, now) + by + all.length) % all.length]?.key ?? null;
        }),
      onSeen: (key) => setSeen((before) => (before.has(key) ? before : new Set([...before, key]))),
      onLeave: (to) => {
        const row = waitingOf(to);
        if (row) leave(row);
      },
    };
  }, [ports, onTerminal, answered, leave]);

  const isAllSeen = queue.every((each) => seen.has(each.key) && canAgree(each));
  const place = { number: index + 1, count: queue.length, isAllSeen };
  return {
    current: pending ? { pending, place } : null,
    count: queue.length,
    actions,
    lookElsewhere,
  };
}

/** The place of a question; the first if it is not in the queue. */
const placeIn = (queue: readonly Pending[], wanted: string | null): number =>
  Math.max(
    0,
    queue.findIndex(({ key }) => key === wanted),
  );

function ownPending(call: AwaitingCall): Pending {
  const { request, question, verdict, plan } = call;
  const key = `${request.callId} ${question.digest}`;
  return { key, title: plan.title, question, verdict, request, where: null };
}

function otherPending(row: Waiting): Pending {
  const { sessionId, callId, tool, title, question, verdict } = row;
  const request = { callId, name: tool, args: {} };
  return { key: questionKeyOf(row), title, question, verdict, request, where: sessionId };
}

/** Null if it waits in the session on the screen. */
function waitingOf({ where, request, title, question, verdict }: Pending): Waiting | null {
  if (where === null) return null;
  return { sessionId: where, callId: request.callId, tool: request.name, title, question, verdict };
}

/** Questions that need text cannot be answered by a yes. */
const canAgree = ({ question }: Pending): boolean =>
  question.confirmation.type !== 'ask_user' &&
  question.confirmation.type !== 'exit_plan_mode' &&
  question.offers.some(({ outcome }) => outcome === 'proceed_once');

function problemOf(ack: Ack): string | null {
  if (ack.ok) return null;
  const { message, hint } = explain(ack.failure);
  return `${message} ${hint}`;
}
