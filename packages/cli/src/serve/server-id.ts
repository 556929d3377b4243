import { randomUUID } from 'node:crypto';
import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { writeFailure } from '@countersign/host';
import { configDirectory } from '../options/places.js';

/** In the configuration directory, beside the tokens: a server that takes the same tokens is the same server. */
const FILE = 'server-id';
const MADE_LIKE_THIS = /^[0-9a-f-]{36}$/;

/** Names the server of this configuration, the same across restarts. Made at the first start. */
export async function serverId(env: NodeJS.ProcessEnv): Promise<string> {
  const directory = configDirectory(env);
  const path = join(directory, FILE);
  try {
    const known = await idIn(path);
    if (known !== null) return known;
    await mkdir(directory, { recursive: true, mode: 0o700 });
    return await make(path);
  } catch (thrown) {
    throw writeFailure(thrown, path);
  }
}

/** Whole or not at all, and once: of two servers that start at the same moment, one reads what the other made. */
async function make(path: string): Promise<string> {
  const id = randomUUID();
  const draft = `${path}.${id}`;
  await writeFile(draft, `${id}\n`, { mode: 0o600, flag: 'wx' });
  try {
    await link(draft, path);
    return id;
  } catch (thrown) {
    if (!(thrown instanceof Error) || !('code' in thrown) || thrown.code !== 'EEXIST') throw thrown;
    const other = await idIn(path);
    if (other !== null) return other;
    // What is there was not written by us: it names no server, and is replaced.
    await writeFile(path, `${id}\n`, { mode: 0o600 });
    return id;
  } finally {
    await rm(draft, { force: true });
  }
}

async function idIn(path: string): Promise<string | null> {
  try {
    const text = (await readFile(path, 'utf8')).trim();
    return MADE_LIKE_THIS.test(text) ? text : null;
  } catch (thrown) {
    if (thrown instanceof Error && 'code' in thrown && thrown.code === 'ENOENT') return null;
    throw thrown;
  }
}
