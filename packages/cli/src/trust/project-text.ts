import { visibleLine } from '@countersign/display';
import { parsePolicyFile } from '@countersign/engine';
import type { HookContent, HookDefinition } from '@countersign/hooks';
import type { Json } from '@countersign/protocol';
import { CommandFailure } from '../io/failure-text.js';
import { hookNotices } from '../settings/hook-problems.js';
import type { SettingKey } from '../settings/keys.js';
import type { PolicyFile, Project } from './project.js';
import type { ProjectContent } from './trust-status.js';

/** What would take effect if the project were trusted. */
export type ProjectSummary = {
  readonly rules: readonly RuleSummary[];
  readonly hooks: readonly HookSummary[];
  /** MCP servers that run files of the workspace; `settings` has their configuration. */
  readonly servers: readonly { readonly name: string; readonly files: readonly string[] }[];
  /** Settings whose commands run files of the workspace. */
  readonly commands: readonly { readonly key: string; readonly files: readonly string[] }[];
  /** The paths of the skill files. */
  readonly skills: readonly string[];
  /** Other settings that need trust. */
  readonly settings: readonly { readonly key: string; readonly value: Json }[];
};
type RuleSummary = { readonly file: string; readonly rules: number; readonly decisions: readonly string[] };
type HookSummary = ReturnType<typeof hookSummary>;

/** Throws if a file is invalid. */
export async function summaryOf(
  project: Project,
  content: ProjectContent,
  keys: readonly SettingKey[],
): Promise<ProjectSummary> {
  const { settings } = project;
  if (settings && content.hooks) hookNotices(content.hooks, settings.parsed);
  return {
    rules: await Promise.all(project.policies.map(ruleSummary)),
    hooks: Array.from(content.contentOfHooks, hookSummary),
    servers: Array.from(content.filesOfServers, ([name, files]) => ({
      name,
      files: files.map(({ path }) => path),
    })).filter(({ files }) => files.length > 0),
    commands: Array.from(content.filesOfCommands, ([key, files]) => ({
      key,
      files: files.map(({ path }) => path),
    })).filter(({ files }) => files.length > 0),
    skills: project.skills.map(({ path }) => path),
    settings: keys.flatMap((key) => {
      const value = settings?.parsed.values[key];
      return value == null || key === 'hooks' ? [] : [{ key, value }];
    }),
  };
}

async function ruleSummary(policy: PolicyFile): Promise<RuleSummary> {
  if (policy.bytes === null) {
    const { file, problem } = policy;
    throw new CommandFailure({ code: 'policy_invalid', file, line: 1, problem });
  }
  const { text, ...source } = policy.source;
  const parsed = await parsePolicyFile(text, source);
  if (!parsed.ok) throw new CommandFailure(parsed.failure);
  // One rule in a file may be compiled to several.
  const byLine = new Map(parsed.rules.map(({ ref, decision }) => [ref.line, decision]));
  return { file: policy.path, rules: byLine.size, decisions: [...new Set(byLine.values())].sort() };
}

function hookSummary([hook, content]: readonly [HookDefinition, HookContent]) {
  const { event, command, name, env, onFailure } = hook;
  const matcher = hook.matcher?.source ?? null;
  /** Workspace files that the command names. */
  const files = content.files.map(({ path }) => path);
  return { event, matcher, command, name, env, onFailure, files };
}

/** As text, unabridged, since the user confirms it. */
export function summaryText({ rules, hooks, servers, commands, skills, settings }: ProjectSummary): string {
  return [
    ...rules.map(
      ({ file, rules: count, decisions }) =>
        `  rules     ${file}: ${count} ${count === 1 ? 'rule' : 'rules'} (${decisions.join(', ')})`,
    ),
    ...hooks.flatMap(({ event, matcher, command, name, env, onFailure, files }) => [
      `  hook      ${event}, for ${matcher === null ? 'everything' : `what matches ${matcher}`}${name === null ? '' : ` (${name})`}`,
      `              runs: ${command}`,
      ...Object.entries(env).map(([variable, value]) => `              with: ${variable}=${value}`),
      ...(files.length === 0 ? [] : [`              files: ${files.join(', ')}`]),
      ...(onFailure === 'ignore' ? ['              if it fails, the call continues'] : []),
    ]),
    ...servers.map(({ name, files }) => `  server    ${name}, files: ${files.join(', ')}`),
    ...commands.map(({ key, files }) => `  command   ${key}, files: ${files.join(', ')}`),
    ...skills.map((path) => `  skill     ${path}`),
    ...settings.map(({ key, value }) => `  setting   ${key}: ${JSON.stringify(value)}`),
  ]
    .map(visibleLine)
    .join('\n');
}
