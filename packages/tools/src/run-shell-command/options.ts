import type { HostEnvironment } from '../processes/environment.js';

/** What whoever composes the program may change about commands. */
export type ShellOptions = {
  /** Variables that reach commands although they look like secrets; `*` stands for any characters. */
  readonly passEnvironment: readonly string[];
  /** How long a command may print nothing. */
  readonly idleMs: number;
  /** How much it may print: more fills disks and helps nobody. */
  readonly outputBytesMax: number;
};

const IDLE_MS_DEFAULT = 5 * 60_000; // a command that waits for a person who is not there prints nothing either
const OUTPUT_BYTES_MAX_DEFAULT = 1_000_000_000;

export function shellOptions(environment: HostEnvironment): ShellOptions {
  const names = environment['COUNTERSIGN_PASS_ENV']?.split(/[\s,]+/) ?? [];
  return {
    passEnvironment: names.filter((name) => name !== ''),
    idleMs: positive(environment['COUNTERSIGN_IDLE_MS']) ?? IDLE_MS_DEFAULT,
    outputBytesMax: positive(environment['COUNTERSIGN_OUTPUT_BYTES_MAX']) ?? OUTPUT_BYTES_MAX_DEFAULT,
  };
}

function positive(text: string | undefined): number | null {
  const number = Number(text ?? Number.NaN);
  return number > 0 ? number : null;
}
