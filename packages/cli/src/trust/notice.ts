import { visibleLine } from '@countersign/display';
import type { FileChange } from '@countersign/hooks';
import { shellWord } from '@countersign/kernel';
import { SETTING_KEYS } from '../settings/keys.js';
import type { Settings } from '../settings/settings.js';
import type { Project } from './project.js';
import type { Standing } from './standing.js';

/** What of a project takes no effect until somebody trusts it; null if nothing of it needs that. */
export function untrustedNotice(project: Project, standing: Standing, settings: Settings): string | null {
  if (standing.type === 'trusted') return null;
  const keys = keysIgnored(settings);
  const ignored = [
    ...project.policies.map(({ path }) => `  ${path} (its rules, including those that deny)`),
    ...project.skills.map(({ path }) => `  ${path} (a skill)`),
    ...(project.settings && keys.length > 0 ? [`  ${project.settings.path}: ${keys.join(', ')}`] : []),
  ];
  const trust = `  To review and trust it: countersign trust ${shellWord(project.workspace)}`;
  // Where nothing is left, somebody may still count on a rule that was there.
  const nothingLeft = standing.type === 'changed' ? [`${whyNot(project, standing)}.`, trust] : null;
  const lines =
    ignored.length === 0
      ? nothingLeft
      : [`${whyNot(project, standing)}, so this has no effect:`, ...ignored, trust];
  if (lines === null) return null;
  return lines.map(visibleLine).join('\n');
}

/** What the project says and nobody has agreed to. */
export const keysIgnored = (settings: Settings) => SETTING_KEYS.filter((key) => settings.isIgnored(key));

function whyNot({ workspace }: Project, standing: Exclude<Standing, { type: 'trusted' }>): string {
  if (standing.type === 'never_trusted') return `${workspace} is not trusted`;
  const since = new Date(standing.since).toISOString();
  return `${workspace} has changed since it was trusted (${since}): ${changesInWords(standing.changes)}`;
}

export const changesInWords = (changes: readonly FileChange[]): string =>
  changes.map(({ path, how }) => `${path} was ${how}`).join(', ');
