import type { Command } from '@countersign/protocol';
import { isAlive, thisProcess } from './process-identity.js';

/**
 * The process that sent a command is stored with it. If that process has ended, it
 * cannot receive the result, so the command must have no effect. Commands of releases
 * that did not store their sender are valid until they are withdrawn.
 */
export const withSender = (command: Command): string => JSON.stringify({ ...command, sender: thisProcess() });

/** A stored command without its sender, and whether the sender still waits for the result. */
export function readSender(stored: unknown): { readonly command: unknown; readonly isAwaited: boolean } {
  if (typeof stored !== 'object' || stored === null || !('sender' in stored))
    return { command: stored, isAwaited: true };
  const { sender, ...command } = stored;
  return { command, isAwaited: isRunning(sender) };
}

function isRunning(sender: unknown): boolean {
  if (typeof sender !== 'object' || sender === null) return false;
  if (!('pid' in sender && 'started' in sender && 'boot' in sender)) return false;
  const { pid, started, boot } = sender;
  if (typeof pid !== 'number' || typeof started !== 'string' || typeof boot !== 'string') return false;
  return isAlive({ pid, started, boot });
}
