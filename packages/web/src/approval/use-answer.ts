import type { AnswerPayload, Outcome } from '@countersign/protocol';
import { useRef, useState } from 'react';
import { sendCommand } from '../connection/send-command.js';
import { useServices } from '../connection/services.js';
import { type ProblemText, problemOf } from '../parts/problem.js';
import type { Answering, Asked } from './asked.js';

export type AnswerState =
  | { readonly state: 'open' }
  | { readonly state: 'sending' }
  | { readonly state: 'given' }
  | { readonly state: 'refused'; readonly problem: ProblemText };

/** Answers a question as it is shown. The first answer counts. */
export function useAnswer(
  { sessionId, callId, question }: Asked,
  onGiven: () => void,
): { readonly state: AnswerState; readonly answer: Answering } {
  const { api, me } = useServices();
  const [state, setState] = useState<AnswerState>({ state: 'open' });
  const sent = useRef({ what: '', key: '' });

  const answer = async (outcome: Outcome, payload?: AnswerPayload) => {
    if (state.state === 'sending' || state.state === 'given') return;
    setState({ state: 'sending' });
    // The same answer keeps its name: if the connection broke after it was received, sending it again does no harm.
    const what = JSON.stringify([question.digest, outcome, payload]);
    if (sent.current.what !== what) sent.current = { what, key: newKey() };
    const ack = await sendCommand(api, sessionId, {
      type: 'answer',
      callId,
      digest: question.digest,
      outcome,
      by: me.name,
      key: sent.current.key,
      ...(payload && { payload }),
    });
    setState(ack.ok ? { state: 'given' } : { state: 'refused', problem: problemOf(ack.failure) });
    if (ack.ok) onGiven();
  };
  return { state, answer: (outcome, payload) => void answer(outcome, payload) };
}

const newKey = (): string =>
  `page-${Array.from(crypto.getRandomValues(new Uint8Array(12)), (byte) => byte.toString(16).padStart(2, '0')).join('')}`;
