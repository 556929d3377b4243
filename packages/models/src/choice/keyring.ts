import { type ExecFileException, execFile } from 'node:child_process';
import { accessSync, constants, statSync } from 'node:fs';
import { join } from 'node:path';
import { bad, isKey, type KeyRead } from './key-file.js';

/** How to ask the system's keyring. */
export type KeyringOptions = {
  /** Where its program is looked for: never along PATH, which a project can change. */
  readonly directories: readonly string[];
  readonly waitMs: number;
};

/** The entry's service; its account is the provider's name. */
const SERVICE = 'countersign';
/** Time enough to type the password of a locked keyring. */
const WAIT_MS = 60_000;
/** Keys have some hundred characters. */
const OUTPUT_BYTES_MAX = 4_096;
/** What a program needs to find the person's session bus and keyring, and nothing else. */
const PASSED_VARIABLES = ['DBUS_SESSION_BUS_ADDRESS', 'XDG_RUNTIME_DIR', 'HOME'];

/** A keyring's own program: its words for reading an entry, and those that a person types to store one. */
type KeyringProgram = {
  readonly name: string;
  readonly directories: readonly string[];
  readonly lookup: (account: string) => readonly string[];
  readonly store: (account: string) => string;
  /** What to do where it is not there. */
  readonly missing: string;
  readonly saysNoEntry: (how: Ending, stderr: string) => boolean;
};

const SECRET_TOOL: KeyringProgram = {
  name: 'secret-tool',
  directories: ['/usr/bin', '/bin', '/usr/local/bin', '/run/current-system/sw/bin'],
  lookup: (account) => ['lookup', 'service', SERVICE, 'account', account],
  store: (account) =>
    `secret-tool store --label='Countersign: ${account}' service ${SERVICE} account ${account}`,
  missing: 'Install it (libsecret-tools on Debian and Ubuntu, libsecret elsewhere), or use a key file.',
  // It says nothing where there is no such entry; any other failure has a message.
  saysNoEntry: (how, stderr) => how === 'exit code 1' && stderr.trim() === '',
};

const SECURITY: KeyringProgram = {
  name: 'security',
  directories: ['/usr/bin'],
  lookup: (account) => ['find-generic-password', '-w', '-s', SERVICE, '-a', account],
  store: (account) => `security add-generic-password -U -s ${SERVICE} -a ${account} -w`,
  missing: 'It is part of macOS; use a key file instead.',
  saysNoEntry: (how) => how === 'exit code 44', // errSecItemNotFound, as an exit code
};

/** The key of an account in the system's keyring. Nothing that the program prints is ever in a message. */
export async function readKeyring(
  account: string,
  environment: Readonly<Record<string, string | undefined>>,
  signal: AbortSignal,
  options: Partial<KeyringOptions> = {},
): Promise<KeyRead> {
  const program = process.platform === 'darwin' ? SECURITY : SECRET_TOOL;
  const { directories = program.directories, waitMs = WAIT_MS } = options;
  const path = directories.map((directory) => join(directory, program.name)).find(isProgram);
  if (path === undefined)
    return bad(
      `The key for ${account} should come from the system's keyring, but ${program.name} is not installed in ${directories.join(', ')}.`,
      program.missing,
    );
  const env = Object.fromEntries(PASSED_VARIABLES.map((name) => [name, environment[name]]));
  const answer = await ask(path, program.lookup(account), { env, signal, waitMs });
  switch (answer.type) {
    case 'printed':
      return isKey(answer.text)
        ? { ok: true, value: answer.text }
        : bad(
            `The entry of ${account} in the system's keyring does not hold a key.`,
            `Store the key and nothing else: ${program.store(account)}`,
          );
    case 'too much':
      return bad(
        `The value for ${account} in the system's keyring is too long for a key.`,
        `Store the key and nothing else: ${program.store(account)}`,
      );
    case 'too late':
      return bad(
        `The system's keyring did not respond within ${waitMs / 1_000} s; it may be locked.`,
        'Unlock it (log in to the desktop, or open its settings), then try again.',
      );
    case 'failed':
      return program.saysNoEntry(answer.how, answer.stderr)
        ? bad(
            `The system's keyring has no key for ${account}, or it is locked.`,
            `Run: ${program.store(account)}`,
          )
        : bad(
            `The system's keyring cannot be read: ${program.name} ended with ${answer.how}.`,
            `To see why, run: ${[program.name, ...program.lookup(account)].join(' ')} >/dev/null`,
          );
  }
}

type Answer =
  | { readonly type: 'printed'; readonly text: string }
  | { readonly type: 'too much' | 'too late' }
  | { readonly type: 'failed'; readonly how: Ending; readonly stderr: string };
/** An exit code, a signal, or why it did not start. */
type Ending = string;

type Asking = { readonly env: NodeJS.ProcessEnv; readonly signal: AbortSignal; readonly waitMs: number };

const ask = (path: string, words: readonly string[], { env, signal, waitMs }: Asking): Promise<Answer> =>
  new Promise((resolve) => {
    const limits = { timeout: waitMs, maxBuffer: OUTPUT_BYTES_MAX, killSignal: 'SIGKILL' } as const;
    // From the root directory: nothing of a project has a part in it.
    const child = execFile(path, words, { ...limits, cwd: '/', env, signal }, (error, stdout, stderr) => {
      if (error === null) resolve({ type: 'printed', text: stdout.trim() });
      else if (error.code === 'ERR_CHILD_PROCESS_STDIO_MAXBUFFER') resolve({ type: 'too much' });
      else if (error.killed === true || error.name === 'AbortError') resolve({ type: 'too late' });
      else resolve({ type: 'failed', how: endingOf(error), stderr });
    });
    // A program that prompts on its input reads its end.
    child.stdin?.on('error', () => {}).end();
  });

const endingOf = ({ code, signal }: ExecFileException): Ending =>
  typeof code === 'number' ? `exit code ${code}` : (signal ?? code ?? 'an unknown error');

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
