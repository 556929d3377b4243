import { createHash } from 'node:crypto';
import { createReadStream, realpathSync } from 'node:fs';
import { relative } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { canonicalJson } from '@countersign/protocol';
import type { HookDefinition } from '../hook.js';
import { filesOf } from './files-of.js';

/**
 * Names all that a hook does when it runs: its settings and the files of the workspace that its command names. Trust in a
 * hook is trust in this; when it changes, somebody has to look again.
 */
export async function contentHash(hook: HookDefinition, workspace: string): Promise<string> {
  const { event, matcher, sequential, name, command, timeoutMs, env, onFailure } = hook;
  const root = realpathSync(workspace);
  const files = filesOf(hook, workspace).map(async (path) => [relative(root, path), await hashOf(path)]);
  const settings = {
    event,
    matcher: matcher?.source ?? null,
    sequential,
    name,
    command,
    timeoutMs,
    env,
    onFailure,
  };
  return createHash('sha256')
    .update(canonicalJson({ ...settings, files: await Promise.all(files) }))
    .digest('hex');
}

/** null for what can not be read, which is then no content that anybody has seen. */
async function hashOf(path: string): Promise<string | null> {
  const hash = createHash('sha256');
  try {
    await pipeline(createReadStream(path), hash);
    return hash.digest('hex');
  } catch {
    return null;
  }
}
