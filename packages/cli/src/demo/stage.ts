import { lstat, mkdir, mkdtemp, realpath, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { DRAFT, LINE_BEFORE, POEM } from './scenes.js';

/** The folders of a demonstration. */
export type Stage = {
  readonly workspace: string;
  /** Rules in addition to the default rules. */
  readonly rules: string;
  /** Replaces the user's home, so that the user's own configuration is not used. */
  readonly home: string;
};

const RULES = `[[rule]]
name = "nothing is deleted"
toolName = "run_shell_command"
commandPrefix = "rm"
decision = "deny"
priority = 100
denyMessage = "Files must not be deleted here. Ask the user to do it."
`;

const SCRATCH_PREFIX = 'countersign-demo-';
const WORKSPACE = 'work';

/** `mkdtemp` makes it private, so that no other user can create one that we accept. */
export const makeScratch = async (): Promise<string> =>
  realpath(await mkdtemp(join(tmpdir(), SCRATCH_PREFIX)));

/** Creates the files of the scenes. */
export async function setStage(scratch: string): Promise<Stage> {
  const stage = stageIn(scratch);
  const { workspace, rules } = stage;
  await mkdir(join(workspace, 'drafts'), { recursive: true });
  await writeFile(join(workspace, POEM), `Trust is a fine thing.\n${LINE_BEFORE}\n`);
  await writeFile(join(workspace, DRAFT), 'Trust me.\n');
  await writeFile(rules, RULES);
  return stage;
}

/** The stage whose workspace this is; null if it is any other folder. */
export async function stageOf(workspace: string): Promise<Stage | null> {
  const scratch = dirname(workspace);
  if (basename(workspace) !== WORKSPACE || !basename(scratch).startsWith(SCRATCH_PREFIX)) return null;
  if (dirname(scratch) !== (await realpath(tmpdir()))) return null;
  const found = await lstat(scratch).catch(() => null);
  const isOurs = found?.isDirectory() && found.uid === process.getuid?.() && (found.mode & 0o077) === 0;
  // Not through a symbolic link, which could lead anywhere.
  const isThere = (await lstat(workspace).catch(() => null))?.isDirectory() === true;
  return isOurs && isThere ? stageIn(scratch) : null;
}

const stageIn = (scratch: string): Stage => ({
  workspace: join(scratch, WORKSPACE),
  rules: join(scratch, 'rules.toml'),
  home: join(scratch, 'home'),
});
