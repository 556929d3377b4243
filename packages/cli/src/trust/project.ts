import { existsSync, readdirSync, realpathSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import type { PolicySource } from '@countersign/engine';
import { CommandFailure, messageOf } from '../io/failure-text.js';
import { decodeText, readRegularFile } from '../io/regular-file.js';
import {
  configDirectory,
  POLICIES,
  PROJECT_DIRECTORY,
  policyFilesIn,
  SETTINGS_FILE,
} from '../options/places.js';
import { readSettingsFile, type SettingsFile } from '../settings/settings-file.js';

/** Configuration in a workspace. Read once, so that exactly the content that was checked takes effect. */
export type Project = {
  readonly workspace: string;
  readonly settings: (ProjectFile & { readonly parsed: SettingsFile }) | null;
  readonly policies: readonly PolicyFile[];
  /** Skills are instructions to the model. */
  readonly skills: readonly SkillFile[];
};
/** `path` is relative to the workspace. */
export type ProjectFile = { readonly path: string; readonly bytes: Uint8Array };
export type PolicyFile =
  | (ProjectFile & { readonly source: Required<PolicySource> })
  /** Its content is unknown, so it cannot be trusted. */
  | { readonly path: string; readonly bytes: null; readonly file: string; readonly problem: string };

export type SkillFile = { readonly path: string; readonly bytes: Uint8Array | null };

/** `workspace` is a real path. */
export async function readProject(workspace: string, env: NodeJS.ProcessEnv): Promise<Project> {
  const skills = SKILL_DIRECTORIES.flatMap((directory) => readSkills(workspace, directory));
  const directory = join(workspace, PROJECT_DIRECTORY);
  if (!existsSync(directory) || isOwn(directory, env))
    return { workspace, settings: null, policies: [], skills };
  const [settings, policies] = await Promise.all([
    readSettings(workspace),
    readPolicies(workspace, join(directory, POLICIES)),
  ]);
  return { workspace, settings, policies, skills };
}

const SKILL_DIRECTORIES = ['.countersign/skills', '.gemini/skills'];

function readSkills(workspace: string, directory: string): readonly SkillFile[] {
  // Without the directory there are no skills.
  if (!statSync(join(workspace, directory), { throwIfNoEntry: false })?.isDirectory()) return [];
  const paths = readdirSync(join(workspace, directory)).map((name) => join(directory, name, 'SKILL.md'));
  return paths.sort().flatMap((path): SkillFile[] => {
    const read = readRegularFile(join(workspace, path));
    if (read.type === 'absent') return [];
    return [{ path, bytes: read.type === 'read' ? read.bytes : null }];
  });
}

/** In the home directory it may be the user's own configuration. */
function isOwn(directory: string, env: NodeJS.ProcessEnv): boolean {
  const own = configDirectory(env);
  return existsSync(own) && realpathSync(own) === realpathSync(directory);
}

async function readSettings(workspace: string): Promise<Project['settings']> {
  const path = join(PROJECT_DIRECTORY, SETTINGS_FILE);
  const parsed = await readSettingsFile('project', join(workspace, path));
  return parsed && { path, bytes: parsed.bytes, parsed };
}

async function readPolicies(workspace: string, directory: string): Promise<Project['policies']> {
  const files = await policyFilesIn(directory).catch((thrown: unknown) => {
    const problem = messageOf(thrown);
    throw new CommandFailure({ code: 'policy_invalid', file: directory, line: 1, problem });
  });
  return files.map((file) => readPolicy(relative(workspace, file), file));
}

function readPolicy(path: string, file: string): PolicyFile {
  const unusable = (problem: string) => ({ path, bytes: null, file, problem });
  const read = readRegularFile(file);
  if (read.type === 'absent') return unusable('it is a broken link');
  if (read.type === 'unusable') return unusable(read.problem);
  const text = decodeText(read.bytes);
  return text === null
    ? unusable('it is not UTF-8')
    : { path, bytes: read.bytes, source: { file, tier: 'workspace', text } };
}
