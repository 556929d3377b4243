import type { Contents } from '@countersign/hooks';
import { shellWord } from '@countersign/kernel';
import type { Json } from '@countersign/protocol';
import type { Project } from './project.js';

/** The files of the workspace that the MCP servers of a project name, as they are now, by server. */
export async function filesOfServers({
  settings,
  workspace,
}: Project): Promise<ReadonlyMap<string, Contents>> {
  const servers = settings?.parsed.values.mcpServers;
  if (servers === undefined) return new Map();
  const { filesNamed } = await import('@countersign/hooks');
  const files = Object.entries(servers).map(async ([name, entry]) => {
    const command = textsIn(entry).map((text) => shellWord(withDefaults(text)));
    return [name, await filesNamed({ command: command.join(' '), env: {} }, workspace)] as const;
  });
  return new Map(await Promise.all(files));
}

/** Every string, since `command`, `args`, `cwd` and `env` can all name a program. */
function textsIn(value: Json): readonly string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

/** `${NAME:-./server.js}`: the default for an unset variable. */
const withDefaults = (text: string): string => text.replace(/\$\{\w+:-([^}]*)\}/g, '$1');
