import { readFile, realpath } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { PolicySource } from '@countersign/engine';
import { contentHash } from '@countersign/host';
import { type SessionSetup, type SetupFile, setupOptions } from '@countersign/protocol';
import type { Settings } from '../settings/settings.js';

/** The rules, tools and sandbox of a session: a process that resumes it must have them, too. */
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

/** By its real path, so that one file is not listed twice. */
async function setupFile(file: string): Promise<SetupFile> {
  const path = await realpath(file);
  return { path, hash: contentHash(await readFile(path)) };
}

/** The options that a command line needs to resume such a session, with a leading space. */
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
