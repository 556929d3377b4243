import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { type RunContext } from '@countersign/engine';
import { type Confine, classifierFor } from '@countersign/host';
import { type Plan, ToolFailure } from '@countersign/protocol';
import { confine, emptyInput, type OwnFiles, ownFilesIn, profileFor } from '@countersign/sandbox';
import { keepConfinement } from './kept-confinement.js';
import type { ShellOptions } from './options.js';
import type { Reach } from './reach.js';
import { grantedDirectory } from './working-directory.js';

/** Where a session's confined commands have what is /tmp to them. */
export const scratchOf = (sessionDirectory: string): string => join(sessionDirectory, 'tmp');

/** Where what a sandbox shows instead of the machine's own files is kept, for as long as the session lasts. */
export const ownFilesOf = (sessionDirectory: string): string => join(sessionDirectory, 'sandbox');

/** Settles what a command can reach, and keeps that beside its output for evaluating its end. */
export async function confineCommand(
  command: string,
  { sandbox, needs }: Extract<Reach, { type: 'confined' }>,
  { workspace, plan, sessionDirectory, directory: keptIn }: RunContext,
  { home, ours, steering, writable }: ShellOptions,
): Promise<Confine> {
  const directory = grantedDirectory(plan);
  const scratch = scratchOf(sessionDirectory);
  mkdirSync(scratch, { recursive: true, mode: 0o700 });
  const profile = profileFor({
    workspace,
    home,
    // Outputs whose paths the model has may be read, but not changed.
    ours: [...ours, sessionDirectory],
    extraReadable: [sessionDirectory],
    needs,
    named: readIn(plan),
    extraWritable: writable,
    scratch,
    isGuarded: (path) => isGuarded(workspace, path, steering),
  });
  const own = ownFiles(sessionDirectory);
  const { analyzeCommand, rootCommands } = await import('@countersign/commands');
  const programs = rootCommands(analyzeCommand(command));
  const names = readIn(plan);
  keepConfinement(keptIn, { profile, directory, effects: effectsOf(plan), names, programs, needs });
  return {
    words: (argv) => confine(sandbox, profile, { argv, directory, own }),
    input: emptyInput(own),
    environment: { ...OWN_TEMPORARY, ...(profile.network === 'blocked' && NO_RETRIES) },
  };
}

function ownFiles(sessionDirectory: string): OwnFiles {
  try {
    return ownFilesIn(ownFilesOf(sessionDirectory));
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    const fix =
      'Run as an ordinary user, or keep the store on a file system that is mounted without "nodev"; or switch the sandbox off.';
    throw new ToolFailure({ code: 'sandbox_unavailable', why, fix });
  }
}

/** Wherever the host has its temporary files, a confined command has its own there. */
const OWN_TEMPORARY = { TMPDIR: '/tmp', TMP: '/tmp', TEMP: '/tmp' };

/** Where there is no network, some programs would retry for minutes before they fail. */
const NO_RETRIES = { npm_config_fetch_retries: '0', PIP_RETRIES: '0', CARGO_NET_RETRY: '0' };

export const isGuarded = (workspace: string, path: string, steering: readonly string[] = []): boolean =>
  classifierFor({ ours: [], steering })(workspace, path).guarded !== null;

const readIn = ({ resources }: Plan): string[] =>
  resources.flatMap((resource) => (resource.kind === 'fs.read' ? [resource.path] : []));

const effectsOf = ({ resources }: Plan) =>
  resources.some(({ kind }) => kind === 'opaque') ? 'unknown' : 'reads';
