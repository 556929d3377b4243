import { type HostEnvironment, homeDirectory } from '@countersign/host';
import type { SandboxMode } from '@countersign/sandbox';

/** Options of the program for commands. */
export type ShellOptions = {
  /** Variables that reach commands although they look like secrets; `*` stands for any characters. */
  readonly passEnvironment: readonly string[];
  /** How long a command may print nothing. */
  readonly idleMs: number;
  /** How much it may print: more fills disks and is of no use to a model. */
  readonly outputBytesMax: number;
  /** `on`: commands without approval run confined, where possible. `required`: all commands do, or none runs. */
  readonly sandbox: SandboxMode;
  /** The bubblewrap to use; null for the system's. */
  readonly bubblewrap: string | null;
  /** A directory of this user where it is remembered that it confines; null to try it in every process. */
  readonly rememberIn: string | null;
  /** Directories outside the workspace that confined commands may write, a cache for instance. */
  readonly writable: readonly string[];
  /** Our own directories (store, policies), of which confined commands see nothing. */
  readonly ours: readonly string[];
  /** The file of the program that runs us, by its real path; null where there is none to protect. */
  readonly program: string | null;
  /** The ports that servers of ours listen on now. */
  readonly ownPorts: () => readonly number[];
  /** Names of files that this person's agents take instructions from, besides the usual ones. */
  readonly steering: readonly string[];
  /** Whose secrets are hidden from confined commands. */
  readonly home: string;
};

const IDLE_MS_DEFAULT = 5 * 60_000; // a command that waits for input prints nothing
/** More than any person or model reads of one command, and little enough that several fit on a small disk. */
const OUTPUT_BYTES_MAX_DEFAULT = 250_000_000;

export function shellOptions(environment: HostEnvironment): ShellOptions {
  const names = environment['COUNTERSIGN_PASS_ENV']?.split(/[\s,]+/) ?? [];
  return {
    passEnvironment: names.filter((name) => name !== ''),
    idleMs: positive(environment['COUNTERSIGN_IDLE_MS']) ?? IDLE_MS_DEFAULT,
    outputBytesMax: positive(environment['COUNTERSIGN_OUTPUT_BYTES_MAX']) ?? OUTPUT_BYTES_MAX_DEFAULT,
    sandbox: sandboxMode(environment['COUNTERSIGN_SANDBOX']),
    bubblewrap: null,
    rememberIn: null,
    writable: [],
    ours: [],
    program: null,
    ownPorts: () => [],
    steering: [],
    // Without one there are no secrets in it.
    home: homeDirectory(environment) ?? '/',
  };
}

function positive(text: string | undefined): number | null {
  const number = Number(text ?? Number.NaN);
  return number > 0 ? number : null;
}

/** A mistyped value meant that commands should be confined. */
function sandboxMode(text: string | undefined): SandboxMode {
  const given = text?.trim().toLowerCase() ?? '';
  if (given === '') return 'on';
  return given === 'off' || given === 'on' ? given : 'required';
}
