import { type RunContext, type Tool } from '@countersign/engine';
import { onOneLine, readFailure, similarNames } from '@countersign/host';
import { ToolFailure, type ToolResult } from '@countersign/protocol';
import * as z from 'zod';
import { defineTool } from '../define-tool/define-tool.js';
import { grantedPath } from '../define-tool/granted-path.js';
import { findSkills, type Skill, type SkillPlaces } from '../skills/find-skills.js';
import { readSkill, SKILL_FILE } from '../skills/read-skill.js';
import { listSkillFiles } from './list-skill-files.js';

/** Only reads; but what it reads steers the model, so the user is shown its text. */
export const activateSkill = (places: SkillPlaces): Tool =>
  defineTool({
    name: 'activate_skill',
    displayName: 'Activate skill',
    description: 'Load the instructions of a skill by its listed name. Follow them from then on.',
    kind: 'read',
    input: () => z.strictObject({ name: z.string().describe('Name of the skill.') }),
    plan: async ({ name }, { workspace }) => {
      const { directory, hash, from, description, body } = await skillNamed(name, workspace, places);
      const path = `${directory}/${SKILL_FILE}`;
      const title = `Activate skill ${name}`;
      return {
        title,
        resources: [{ kind: 'fs.read', path: directory, scope: 'tree' }],
        repeat: 'safe',
        locations: [{ path }],
        basis: [{ path, before: hash, after: hash }],
        byDefault: 'ask_user',
        confirmation: {
          type: 'info',
          title,
          prompt: `${description}\nFrom the ${from}: ${onOneLine(path)}\nThe model receives:\n\n${body}`,
          urls: [],
        },
      };
    },
    run: ({ name }, context) => activate(name, context),
  });

async function skillNamed(name: string, workspace: string, places: SkillPlaces): Promise<Skill> {
  const { skills } = await findSkills(workspace, places);
  const found = skills.find((skill) => skill.name === name);
  if (found) return found;
  const known = skills.map((skill) => skill.name);
  throw new ToolFailure({ code: 'unknown_skill', name, nearest: similarNames(name, known) });
}

async function activate(name: string, { plan }: RunContext): Promise<ToolResult> {
  const directory = grantedPath(plan, 'fs.read');
  const body = await instructionsOf(directory, name, plan.basis[0]?.before ?? null);
  const { files, complete } = await filesBeside(directory);
  const resources = [
    `Files of the skill, in ${onOneLine(directory)}:`,
    ...files.map((file) => `- ${onOneLine(file)}`),
    ...(complete ? [] : ['- and more']),
  ];
  return {
    llmContent: [
      `Skill "${name}" is active. Its instructions:`,
      body,
      ...(files.length === 0 ? [] : [resources.join('\n')]),
    ].join('\n\n'),
    returnDisplay: `Skill "${name}" is active.`,
  };
}

/** Those that were planned on and shown, and no others. */
async function instructionsOf(directory: string, name: string, hash: string | null): Promise<string> {
  const read = await readSkill(directory, name);
  if (read.ok && read.skill.hash === hash) return read.skill.body;
  throw new ToolFailure({ code: 'stale_file', path: `${directory}/${SKILL_FILE}` });
}

async function filesBeside(directory: string): Promise<Awaited<ReturnType<typeof listSkillFiles>>> {
  try {
    const { files, complete } = await listSkillFiles(directory);
    return { files: files.filter((file) => file !== SKILL_FILE), complete };
  } catch (error) {
    throw readFailure(error, directory);
  }
}
