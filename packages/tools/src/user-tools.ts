import { isAbsolute, join } from 'node:path';
import type { Tool } from '@countersign/engine';
import { type HostEnvironment, homeDirectory } from '@countersign/host';
import { ToolFailure } from '@countersign/protocol';
import { activateSkill } from './activate-skill/activate-skill.js';
import { configuredSearch, geminiSearch } from './google-web-search/configured-search.js';
import { googleWebSearch } from './google-web-search/google-web-search.js';
import type { WebSearch } from './google-web-search/web-search.js';
import { saveMemory } from './save-memory/save-memory.js';

/** What the tools of a user need where no settings file is read. */
export type UserToolOptions = {
  readonly env: HostEnvironment;
  /** Where the user's memory and skills are stored; omitted: as the program has it, by `COUNTERSIGN_HOME` or XDG. */
  readonly userDirectory?: string | undefined;
  /** Whether skills of the workspace are used. */
  readonly isTrusted: boolean;
};

/** The tools that depend on the user: their memory, their skills, and the service that they search the web with. */
export function userTools({ env, userDirectory = configDirectory(env), isTrusted }: UserToolOptions): Tool[] {
  const userDirectories = [join(homeDirectory(env) ?? '/', '.gemini'), userDirectory];
  return [
    saveMemory({ userDirectory }),
    activateSkill({ userDirectories, workspaceSkills: isTrusted ? 'trusted' : 'omitted' }),
    googleWebSearch(() => searchFrom(env)),
  ];
}

/** The user's SearXNG server, or else Gemini if there is a key for it. */
function searchFrom(env: HostEnvironment): WebSearch {
  const searxng = env['COUNTERSIGN_SEARXNG_URL'] ?? '';
  const key = env['GEMINI_API_KEY'] || env['GOOGLE_API_KEY'];
  const service = configuredSearch({
    searxng: URL.canParse(searxng) ? new URL(searxng) : null,
    gemini: key ? geminiSearch(key, env) : null,
  });
  if (service) return service;
  throw new ToolFailure({
    code: 'model_not_configured',
    problem:
      'No service to search the web with is configured: neither GEMINI_API_KEY nor COUNTERSIGN_SEARXNG_URL is set.',
    fix: 'Set one of them; the second is the address of a SearXNG server.',
  });
}

/** A relative path would be resolved in the workspace, which could then provide memory and skills. */
function configDirectory(env: HostEnvironment): string {
  const own = env['COUNTERSIGN_HOME'] ?? '';
  if (isAbsolute(own)) return own;
  const xdg = env['XDG_CONFIG_HOME'] ?? '';
  return join(isAbsolute(xdg) ? xdg : join(homeDirectory(env) ?? '/', '.config'), 'countersign');
}
