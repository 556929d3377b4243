import { createHash } from 'node:crypto';
import { createReadStream, realpathSync } from 'node:fs';
import { relative } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { canonicalJson } from '@countersign/protocol';
import type { HookDefinition } from '../hook/hook.js';
import { filesOf, type RunWords } from './files-of.js';

/** All that a hook does when it runs, as far as the workspace has a part in it. */
export type HookContent = {
  /** Of its settings and of the files beneath. */
  readonly hash: string;
  /** The files of the workspace that its command names, by their path in it. */
  readonly files: readonly HookFile[];
};
/** `hash` is null for what cannot be read, which the user cannot have reviewed. */
export type HookFile = { readonly path: string; readonly hash: string | null };

/** Trust in a hook is trust in this; when it changes, the user has to review it again. */
export async function contentOf(hook: HookDefinition, workspace: string): Promise<HookContent> {
  const { event, matcher, sequential, name, command, timeoutMs, env, onFailure } = hook;
  const files = await filesNamed(hook, workspace);
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
  const hash = createHash('sha256')
    .update(canonicalJson({ ...settings, files }))
    .digest('hex');
  return { hash, files };
}

/** The files of the workspace that a command names, as they are now. */
export function filesNamed(run: RunWords, workspace: string): Promise<readonly HookFile[]> {
  const root = realpathSync(workspace);
  return Promise.all(
    filesOf(run, workspace).map(async (path) => ({ path: relative(root, path), hash: await hashOf(path) })),
  );
}

async function hashOf(path: string): Promise<string | null> {
  const hash = createHash('sha256');
  try {
    await pipeline(createReadStream(path), hash);
    return hash.digest('hex');
  } catch {
    return null;
  }
}
