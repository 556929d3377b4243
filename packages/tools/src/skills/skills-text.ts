import type { Skill } from './find-skills.js';

/** The skills as part of a system prompt; empty if there are none. */
export function skillsText(skills: readonly Skill[]): string {
  if (skills.length === 0) return '';
  return [
    'Skills: instructions for particular kinds of work. If one fits the task, call activate_skill with its name before you start.',
    ...skills.map(
      ({ name, description, from }) =>
        `- ${name}${from === 'workspace' ? ' (from the workspace)' : ''}: ${description}`,
    ),
  ].join('\n');
}
