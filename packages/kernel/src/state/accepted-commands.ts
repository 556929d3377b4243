import type { EventOf } from '@countersign/protocol';

type Accepted = EventOf<'command.accepted'>;

export type AcceptedCommands = {
  readonly byKey: Map<string, Accepted>;
  /** By the first command that used the id. */
  readonly byCallId: Map<string, Accepted>;
};

/** Keys and call ids that a session recognises; of more than these, the oldest are forgotten. */
const ACCEPTED_MAX = 10_000;

/** Fold in a command that took effect. */
export function remember({ byKey, byCallId }: AcceptedCommands, accepted: Accepted): void {
  const { by, key, calls = [] } = accepted;
  if (key !== null) keep(byKey, commandKey(by, key), accepted);
  for (const { callId } of calls)
    if (callId !== null && !byCallId.has(callId)) keep(byCallId, callId, accepted);
}

/** A key is one person's own. */
export const commandKey = (by: string, key: string): string => JSON.stringify([by, key]);

function keep(commands: Map<string, Accepted>, name: string, accepted: Accepted): void {
  commands.set(name, accepted);
  const [oldest] = commands.keys();
  if (oldest !== undefined && commands.size > ACCEPTED_MAX) commands.delete(oldest);
}
