import type { Command, Event } from '@countersign/protocol';

/** A fact in a few words, for the log of a run. */
export function describeEvent(event: Event): string {
  const about = 'callId' in event ? ` ${event.callId}` : 'turn' in event ? ` ${event.turn}` : '';
  switch (event.type) {
    case 'call.requested': {
      const { callId, name, args, turn } = event.request;
      return `call.requested ${callId} of turn ${turn}: ${name} ${JSON.stringify(args)}`;
    }
    case 'call.failed':
      return `call.failed${about}: ${event.failure.code}`;
    case 'call.granted':
      return `call.granted${about} by ${event.permit.by.type}`;
    case 'mode.changed':
      return `mode.changed to ${event.mode}`;
    case 'call.answered':
      return `call.answered${about}: ${event.answer.outcome} by ${event.answer.by}`;
    default:
      return `${event.type}${about}`;
  }
}

export function describeCommand(command: Command): string {
  switch (command.type) {
    case 'call':
      return `call ${command.calls.map(({ callId, name }) => `${callId ?? '(no id)'} ${name ?? ''}`).join(', ')}`;
    case 'answer':
      return `answer ${command.outcome} to ${command.callId} by ${command.by} (${command.key ?? 'no key'}) for ${command.digest.slice(0, 8)}`;
    case 'prompt':
      return 'prompt';
    case 'modify':
      return `modify ${command.callId} for ${command.digest.slice(0, 8)}`;
    case 'cancel':
      return `cancel ${JSON.stringify(command.target)}`;
    case 'set-mode':
      return `set-mode ${command.mode}`;
    case 'revoke-grant':
      return `revoke-grant ${command.grantId}`;
  }
}
