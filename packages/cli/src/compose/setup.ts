import { readFile, realpath } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { PolicySource } from '@countersign/engine';
import { contentHash } from '@countersign/host';
import { type SessionSetup, type SetupFile, setupOptions } from '@countersign/protocol';
import type { Settings } from '../settings/settings.js';

/** What is loaded for a session and decides what may run in it: a process that resumes the session later must have it, too. */
export async function setupOf(
  sources: readonly PolicySource[],
  toolModules: readonly string[],
  settings: Pick<Settings, 'get'>,
): Promise<SessionSetup> {
  const files = sources.flatMap(({ file, text }) => (text === undefined ? [file] : []));
  return {
    policies: await Promise.all(files.map(setupFile)),
    tools: await Promise.all(toolModules.map(setupFile)),
    sandbox: settings.get('sandbox').value,
  };
}

/** By its real path: another way to the same file is no other file. */
async function setupFile(file: string): Promise<SetupFile> {
  const path = await realpath(file);
  return { path, hash: contentHash(await readFile(path)) };
}

/** The options that a command line needs to resume what was opened with these, with a blank before them. */
export function optionsFor(given: {
  readonly policyFiles: readonly string[];
  readonly toolModules: readonly string[];
  readonly flags: { readonly sandbox?: SessionSetup['sandbox'] | undefined };
}): string {
  const { policyFiles, toolModules, flags } = given;
  const options = setupOptions([
    ...policyFiles.map((file) => ({ kind: 'policy', path: resolve(file) }) as const),
    ...toolModules.map((file) => ({ kind: 'tools', path: resolve(file) }) as const),
    ...(flags.sandbox ? [{ kind: 'sandbox', was: flags.sandbox, is: flags.sandbox } as const] : []),
  ]);
  return options === '' ? '' : ` ${options}`;
}
