import { randomBytes } from 'node:crypto';
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import type { ToolCall } from '../types/call-types.js';
import { CoreToolScheduler } from './core-tool-scheduler.js';
import type { CoreToolSchedulerOptions } from './options.js';

/**
 * The last state of a batch, stored in a file for people and other programs to look at.
 *
 * @example
 * ```ts
 * const age = ({ timestamp }: ToolCallSnapshot) => Date.now() - timestamp;
 * ```
 */
export type ToolCallSnapshot = {
  /** The calls as `JSON.stringify` gives them: tools by name, functions dropped. */
  readonly toolCalls: readonly StoredToolCall[];
  readonly timestamp: number;
  readonly sessionId: string;
};
/**
 * A call in a snapshot.
 *
 * @example
 * ```ts
 * const name = ({ request, status }: StoredToolCall) => `${request.name}: ${status}`;
 * ```
 */
export type StoredToolCall = {
  readonly status: ToolCall['status'];
  readonly request: ToolCall['request'];
  readonly [field: string]: unknown;
};

/**
 * Writes every update to a file. A snapshot is for looking at; to continue waiting calls after a restart, give the
 * scheduler a `journal` instead.
 *
 * @example
 * ```ts
 * const scheduler = new PersistentToolScheduler({ toolRegistry: registry, config }, 'calls.json');
 * show(scheduler.loadSnapshot()?.toolCalls.length);
 * ```
 */
export class PersistentToolScheduler extends CoreToolScheduler {
  readonly #path: string;
  readonly #warn: (warning: Error) => void;

  constructor(options: CoreToolSchedulerOptions, snapshotPath: string) {
    const { onToolCallsUpdate, onTrouble } = options;
    super({
      ...options,
      onToolCallsUpdate: (calls) => {
        this.#save(calls);
        onToolCallsUpdate?.(calls);
      },
    });
    this.#path = snapshotPath;
    this.#warn = onTrouble ?? ((warning) => process.emitWarning(warning));
  }

  /** The last snapshot; null if there is none or it cannot be read, which is warned of. */
  loadSnapshot(): ToolCallSnapshot | null {
    let text: string;
    try {
      text = readFileSync(this.#path, 'utf8');
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) this.#warn(asError(error));
      return null;
    }
    try {
      const value: unknown = JSON.parse(text);
      if (isSnapshot(value)) return value;
    } catch {
      // Reported below, like any other file that is not a snapshot.
    }
    this.#warn(new Error(`${this.#path} is not a snapshot of tool calls; it is ignored.`));
    return null;
  }

  #save(toolCalls: readonly ToolCall[]): void {
    const snapshot = { toolCalls, timestamp: Date.now(), sessionId: process.env['SESSION_ID'] ?? 'default' };
    try {
      writeWhole(this.#path, JSON.stringify(snapshot));
    } catch (error) {
      this.#warn(new Error(`${this.#path} could not be written: ${asError(error).message}`));
    }
  }
}

/** A reader of the file finds the old text or the new one, never a part. */
function writeWhole(path: string, text: string): void {
  const temporary = `${path}.${process.pid}-${randomBytes(4).toString('hex')}`;
  try {
    writeFileSync(temporary, text, { flag: 'wx', mode: 0o600, flush: true });
    renameSync(temporary, path);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}

function isSnapshot(value: unknown): value is ToolCallSnapshot {
  return (
    typeof value === 'object' &&
    value !== null &&
    'toolCalls' in value &&
    Array.isArray(value.toolCalls) &&
    'timestamp' in value &&
    typeof value.timestamp === 'number' &&
    'sessionId' in value &&
    typeof value.sessionId === 'string'
  );
}

const asError = (thrown: unknown) => (thrown instanceof Error ? thrown : new Error(String(thrown)));
