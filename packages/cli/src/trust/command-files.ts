import type { Contents } from '@countersign/hooks';
import type { Project } from './project.js';

/** Settings that are command lines. */
export const COMMAND_KEYS = ['toolDiscoveryCommand', 'toolCallCommand'] as const;
export type CommandKey = (typeof COMMAND_KEYS)[number];

/** The files of the workspace that the command lines in a project's settings name, as they are now. */
export async function filesOfCommands({
  settings,
  workspace,
}: Project): Promise<ReadonlyMap<CommandKey, Contents>> {
  const files = new Map<CommandKey, Contents>();
  for (const key of COMMAND_KEYS) {
    const command = settings?.parsed.values[key];
    if (!command) continue;
    const { filesNamed } = await import('@countersign/hooks');
    files.set(key, await filesNamed({ command, env: {} }, workspace));
  }
  return files;
}
