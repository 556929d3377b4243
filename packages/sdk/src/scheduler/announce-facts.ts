import type { Fact } from '@countersign/protocol';
import { MessageBus } from '../config/message-bus.js';

/** Publishes facts on the bus, besides questions and updates: calls that policy denied, and grants made or revoked. */
export function announceFacts(bus: MessageBus, facts: readonly Fact[]): void {
  for (const { event, call } of facts) {
    if (event.type === 'grant.added') {
      MessageBus.announce(bus, { type: 'update-policy', change: event.type, grantId: event.grant.id });
    } else if (event.type === 'grant.revoked') {
      MessageBus.announce(bus, { type: 'update-policy', change: event.type, grantId: event.grantId });
    } else if (event.type === 'call.failed' && call) {
      const { failure } = event;
      if (failure.code !== 'policy_violation' && failure.code !== 'nobody_to_ask') continue;
      const { name, args } = call.request;
      MessageBus.announce(bus, {
        type: 'tool-policy-rejection',
        toolCall: { name, args },
        reason: failure.reason,
      });
    }
  }
}
