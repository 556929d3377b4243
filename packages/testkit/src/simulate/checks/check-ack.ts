import { type Ack, type Command, canonicalJson } from '@countersign/protocol';
import type { History } from '../world/history.js';
import type { Complain } from '../world/invariants.js';

/** An acknowledgement came: whatever it claims must be written down by now. */
export function checkAck(command: Command, ack: Ack, history: History, complain: Complain): void {
  if (!ack.ok) {
    if (ack.failure.code === 'internal') complain('faults', ack.failure.message);
    if (ack.failure.code === 'command_withdrawn') {
      complain('acks', `${command.type} was refused because another command was withdrawn`);
    }
    return;
  }
  if (ack.seq > history.events.length) {
    complain(
      'durable',
      `${command.type}: fact ${ack.seq} was acknowledged, ${history.events.length} are written`,
    );
  }
  const wrong = problemWith(command, ack, history);
  if (wrong) complain('acks', `${command.type} was acknowledged, but ${wrong}: ${JSON.stringify(command)}`);
}

function problemWith(command: Command, ack: Extract<Ack, { ok: true }>, history: History): string | null {
  switch (command.type) {
    case 'call': {
      const turn = history.turns.find((other) => other.turn === ack.turn);
      const ids = turn?.calls.flatMap(({ request }) => (request.followUp ? [] : request.callId));
      return ids && ids.join() === ack.callIds?.join() && ids.length === command.calls.length
        ? null
        : `turn ${ack.turn ?? '(none)'} has the calls ${ids?.join() ?? '(none)'}`;
    }
    case 'answer': {
      const said = answersTo(history, command.callId).some(
        ({ by, digest, outcome, key }) =>
          (ack.repeated && key !== null && key === command.key) ||
          (by === command.by &&
            digest === command.digest &&
            outcome === command.outcome &&
            key === (command.key ?? null)),
      );
      return said ? null : 'no such answer is written down';
    }
    case 'modify': {
      const args = canonicalJson(command.args);
      const written = history.events.some(
        (event) =>
          event.type === 'call.rewritten' &&
          event.callId === command.callId &&
          canonicalJson(event.args) === args,
      );
      return written ? null : 'the arguments are not written down';
    }
    case 'prompt':
      return null;
    case 'cancel': {
      if (command.target.type !== 'call') return null;
      const facts = history.callAt(command.target.callId, ack.seq);
      return facts?.aborting || facts?.end?.type === 'call.cancelled'
        ? null
        : 'the call is not being stopped';
    }
    case 'set-mode': {
      const last = history.events
        .slice(0, ack.seq)
        .findLast((event) => event.type === 'mode.changed' || event.type === 'session.opened');
      return last && 'mode' in last && last.mode === command.mode ? null : 'another mode is in force';
    }
    case 'revoke-grant':
      return history.grants.get(command.grantId)?.revoked ? null : 'it is still in force';
  }
}

function answersTo(history: History, callId: string) {
  return history.events.flatMap((event) =>
    event.type === 'call.answered' && event.callId === callId ? [event.answer] : [],
  );
}
