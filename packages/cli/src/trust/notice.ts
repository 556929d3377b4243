import { visibleLine } from '@countersign/display';
import type { FileChange } from '@countersign/hooks';
import { shellWord } from '@countersign/kernel';
import { SETTING_KEYS } from '../settings/keys.js';
import type { Settings } from '../settings/settings.js';
import type { Project } from './project.js';
import type { TrustStatus } from './trust-status.js';

/** What in a project has no effect until the user trusts it; null if nothing in it needs trust. */
export function untrustedNotice(
  project: Project,
  trustStatus: TrustStatus,
  settings: Settings,
): string | null {
  if (trustStatus.type === 'trusted') return null;
  const keys = keysIgnored(settings);
  const ignored = [
    ...project.policies.map(({ path }) => `  ${path} (its rules, including those that deny)`),
    ...project.skills.map(({ path }) => `  ${path} (a skill)`),
    ...(project.settings && keys.length > 0 ? [`  ${project.settings.path}: ${keys.join(', ')}`] : []),
  ];
  const trust = `  To review and trust it: countersign trust ${shellWord(project.workspace)}`;
  // Even if no file is left, the user may rely on a rule that was there.
  const nothingLeft = trustStatus.type === 'changed' ? [`${whyNot(project, trustStatus)}.`, trust] : null;
  const lines =
    ignored.length === 0
      ? nothingLeft
      : [`${whyNot(project, trustStatus)}, so this has no effect:`, ...ignored, trust];
  if (lines === null) return null;
  return lines.map(visibleLine).join('\n');
}

/** Settings of the project that are ignored. */
export const keysIgnored = (settings: Settings) => SETTING_KEYS.filter((key) => settings.isIgnored(key));

function whyNot({ workspace }: Project, trustStatus: Exclude<TrustStatus, { type: 'trusted' }>): string {
  if (trustStatus.type === 'never_trusted') return `${workspace} is not trusted`;
  const since = new Date(trustStatus.since).toISOString();
  return `${workspace} has changed since it was trusted (${since}): ${changesInWords(trustStatus.changes)}`;
}

export const changesInWords = (changes: readonly FileChange[]): string =>
  changes.map(({ path, how }) => `${path} was ${how}`).join(', ');
