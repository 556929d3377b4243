import type { Hooked, Input } from '@countersign/kernel';
import type { Event, ToolOutcome } from '@countersign/protocol';
import { after, afterOutside, type Taken, take } from './take.js';
import { watch } from './watch/watch.js';
import type { Kernel } from './world/kernel.js';
import { beginning, type Stimulus } from './world/moment.js';
import { Findings } from './world/properties.js';
import { targetIn } from './world/truth.js';
import type { World } from './world/world.js';

/** What happened, one line per input with the facts that followed, for somebody who has to find out why. */
export function storyOf(world: World, kernel: Kernel, stimuli: readonly Stimulus[]): readonly string[] {
  let moment = beginning(world, kernel);
  return stimuli.map(({ input }, index) => {
    const number = `${index + 1}.`.padEnd(4);
    if (input === 'commit' || 'rules' in input) {
      moment = afterOutside(moment, input);
      return `${number}${input === 'commit' ? 'the store writes it down' : `rules: ${input.rules}`}`;
    }
    try {
      const taken = take(world, kernel, moment, input);
      const seen = watch({ ...taken, world, before: moment.seen, input }, new Findings());
      moment = after(world, taken, seen);
      return `${number}${sayInput(input)} → ${sayTaken(taken)}`;
    } catch (thrown) {
      return `${number}${sayInput(input)} → ${String(thrown)}`;
    }
  });
}

function sayTaken({ reply, facts }: Taken): string {
  const told = [
    ...(reply.refusal ? [`refused: ${reply.refusal.code}`] : []),
    ...(reply.repeated ? ['acknowledged again'] : []),
    ...facts.map(({ event }) => sayEvent(event)),
  ];
  return told.join(', ') || 'nothing';
}

function sayInput(input: Input): string {
  switch (input.type) {
    case 'open':
      return 'a process takes the session up';
    case 'call': {
      const calls = input.calls
        .map(({ wireId, name, args }) => `${wireId} ${name} ${targetIn(args)}`)
        .join(', ');
      return `batch [${calls}] ${input.start}, ${input.attended ? 'attended' : 'unattended'}, ${input.whenBusy}`;
    }
    case 'plan.ended': {
      const { outcome, callId, revision } = input;
      const made = outcome.ok ? outcome.plan.digest : outcome.failure.code;
      return `plan of ${callId}, revision ${revision}: ${made}${sayHooked(input.hooked)}`;
    }
    case 'answer': {
      const { by, callId, outcome, digest, key, fresh, payload } = input;
      return `${by} answers ${callId} ${outcome} ${JSON.stringify(payload)} to ${digest} (key ${key}; ${sayFresh(fresh)})`;
    }
    case 'modify':
      return `${input.by} edits ${input.callId} to ${targetIn(input.args)}, seeing ${input.digest}`;
    case 'tool.ended': {
      const { outcome, callId, attempt, complete } = input;
      return `${callId}, attempt ${attempt}, ends${complete ? ' on its own' : ''}: ${sayOutcome(outcome)}`;
    }
    case 'hooks.ended': {
      const { outcome, callId, attempt, followUp } = input;
      const made = outcome ? `, make it: ${sayOutcome(outcome)}` : '';
      return `hooks have looked at ${callId}, attempt ${attempt}${made}${followUp ? `, ask for ${followUp.name}` : ''}`;
    }
    case 'stream.call':
      return `the model calls ${input.call.wireId} ${input.call.name} ${targetIn(input.call.args)}`;
    case 'nested.call':
      return `${input.within} needs ${input.call.wireId} ${input.call.name}`;
    case 'stream.ended':
      return ['the model has spoken', ...input.calls.map(({ wireId }) => `and calls ${wireId}`)].join(' ');
    case 'stream.broke':
      return 'the model breaks off';
    case 'say':
    case 'compress':
    case 'mask':
      return input.type;
    case 'nested.withdrawn':
      return `${input.callId} is no longer wanted`;
    case 'cancel':
      return `cancel ${JSON.stringify(input.target)}`;
    case 'set-mode':
      return `mode ${input.mode}`;
    case 'revoke-grant':
      return `revoke ${input.grantId}`;
    case 'grants-gone':
      return `elsewhere revoked: ${input.grantIds.join(', ')}`;
  }
}

function sayFresh(fresh: Extract<Input, { type: 'answer' }>['fresh']): string {
  if (fresh.type === 'unchanged' || fresh.type === 'unseen') return 'not looked again';
  if (fresh.type === 'failed') return `the tool objects: ${fresh.failure.code}`;
  const found = fresh.outcome.ok ? fresh.outcome.plan.digest : fresh.outcome.failure.code;
  return fresh.type === 'planned' ? `looked again: ${found}` : `instead: ${found}${sayHooked(fresh.hooked)}`;
}

const sayOutcome = (outcome: ToolOutcome): string => (outcome.ok ? 'well' : outcome.failure.code);

function sayHooked(hooked: Hooked | null): string {
  if (!hooked) return '';
  const { advice, rewritten } = hooked;
  return `; hooks: ${advice?.decision ?? 'nothing'}${rewritten ? `, with ${targetIn(rewritten.args)}` : ''}`;
}

function sayEvent(event: Event): string {
  switch (event.type) {
    case 'call.requested':
      return `call.requested ${event.request.callId}`;
    case 'call.granted':
      return `call.granted ${event.callId} by ${event.permit.by.type}`;
    case 'call.failed':
      return `call.failed ${event.callId} ${event.failure.code}`;
    case 'call.started':
    case 'call.retried':
      return `${event.type} ${event.callId} ${event.attempt}`;
    case 'turn.started':
    case 'turn.sealed':
    case 'turn.ended':
      return `${event.type} ${event.turn}`;
    default:
      return 'callId' in event ? `${event.type} ${event.callId}` : event.type;
  }
}
