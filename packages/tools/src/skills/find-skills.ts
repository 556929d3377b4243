import { readdir } from 'node:fs/promises';
import { componentsBelow, errnoOf, resolvePath } from '@countersign/host';
import { ToolFailure } from '@countersign/protocol';
import { readSkill, SKILL_FILE, type SkillContent } from './read-skill.js';

/** Where skills may lie. */
export type SkillPlaces = {
  /** Absolute; of two skills of one name, the one found first counts. */
  readonly userDirectories: readonly string[];
  /** Whether skills that come with the workspace are used: only if a person trusts the folder. */
  readonly workspaceSkills: 'trusted' | 'omitted';
};

export type Skill = SkillContent & {
  /** The real path of its directory. */
  readonly directory: string;
  readonly from: 'user' | 'workspace';
};

export type Skills = {
  readonly skills: readonly Skill[];
  /** What looked like a skill and is none, for the person. */
  readonly problems: readonly { readonly file: string; readonly problem: string }[];
};

const WORKSPACE_DIRECTORIES = ['.countersign/skills', '.gemini/skills'];
const SKILLS_MAX = 200; // a model chooses from a list that it can read

/** All skills there are, the user's own first: what comes with a workspace can't take the name of one of them. */
export async function findSkills(workspace: string, places: SkillPlaces): Promise<Skills> {
  const found = new Map<string, Skill>();
  const problems: Skills['problems'][number][] = [];
  for (const { path, from } of directoriesOf(workspace, places)) {
    for (const name of await namesIn(path)) {
      const file = `${path}/${name}/${SKILL_FILE}`;
      const problem = await take({ path, name, from, workspace }, found);
      if (problem !== null) problems.push({ file, problem });
    }
  }
  return { skills: [...found.values()], problems };
}

type Candidate = Pick<Skill, 'from' | 'name'> & { readonly path: string; readonly workspace: string };

/** Adds the skill to those found, or returns why not; null also if there is none. */
async function take(
  { path, name, from, workspace }: Candidate,
  found: Map<string, Skill>,
): Promise<string | null> {
  const directory = await leadsTo(path, name);
  if (directory === null) return 'Its symbolic links are broken.';
  if (from === 'workspace' && componentsBelow(workspace, directory) === null)
    return `It points to ${directory}, outside the workspace.`;
  const read = await readSkill(directory, name);
  if (!read.ok) return read.problem;
  const { skill } = read;
  const other = found.get(skill.name);
  if (other) return `Another skill has the name "${skill.name}": ${other.directory}.`;
  if (found.size === SKILLS_MAX) return `There are ${SKILLS_MAX} skills already.`;
  found.set(skill.name, { ...skill, directory, from });
  return null;
}

async function leadsTo(path: string, name: string): Promise<string | null> {
  try {
    return await resolvePath(path, name);
  } catch (error) {
    if (error instanceof ToolFailure) return null;
    throw error;
  }
}

function directoriesOf(workspace: string, { userDirectories, workspaceSkills }: SkillPlaces) {
  const own = userDirectories.map((path) => ({ path: `${path}/skills`, from: 'user' as const }));
  if (workspaceSkills === 'omitted') return own;
  const brought = WORKSPACE_DIRECTORIES.map((name) => ({
    path: `${workspace}/${name}`,
    from: 'workspace' as const,
  }));
  return [...own, ...brought];
}

async function namesIn(directory: string): Promise<readonly string[]> {
  try {
    const entries = await readdir(directory, { withFileTypes: true });
    return entries
      .filter((entry) => entry.isDirectory() || entry.isSymbolicLink())
      .map(({ name }) => name)
      .sort();
  } catch (error) {
    const errno = errnoOf(error);
    if (errno === 'ENOENT' || errno === 'ENOTDIR' || errno === 'EACCES') return [];
    throw error;
  }
}
