import type { SessionClient } from '@countersign/client';
import type { Ack, Command } from '@countersign/protocol';

/** Owners come and go between our attaching and our sending; more often than this is a fault. */
const ROUNDS_MAX = 5;

/** Sends a command to a session wherever its owner is, and attaches anew where the owner ended before it took it. */
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
