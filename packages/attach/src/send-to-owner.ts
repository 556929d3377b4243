import type { SessionClient } from '@countersign/client';
import type { Ack, Command } from '@countersign/protocol';

/** The owner may change between attaching and sending; more often than this is a fault. */
const ROUNDS_MAX = 5;

/** Sends a command to the owner of a session, and attaches again if the owner ended before it took the command. */
export async function sendToOwner<T extends { readonly client: SessionClient }>(
  attach: () => Promise<T>,
  command: Command,
  signal?: AbortSignal,
): Promise<{ readonly attached: T; readonly ack: Ack }> {
  for (let round = 1; ; round++) {
    const attached = await attach();
    const ack = await attached.client.send(command, signal);
    if (ack.ok || ack.failure.code !== 'session_idle' || round >= ROUNDS_MAX) return { attached, ack };
  }
}
