import { homeDirectory } from '../home-directory.js';

/**
 * What a command finds in its environment: what a person's own shell would give
 * it, less the secrets of the host and less what was meant for this very
 * process, and set so that nothing waits for a terminal.
 */
export function commandEnvironment(host: HostEnvironment, options: EnvironmentOptions): CommandEnvironment {
  const environment: { [name: string]: string } = {};
  for (const [name, value] of Object.entries(host)) {
    if (value === undefined || isGitConfig(name)) continue;
    if (!isWithheld(name, value) || isPassed(name, options.pass)) environment[name] = value;
  }
  // Commands read settings there, so that it may not be wherever they work.
  if (environment['HOME'] !== undefined) environment['HOME'] = homeDirectory(host) ?? '/';
  for (const name of Object.keys(environment)) if (name.endsWith('PAGER')) environment[name] = 'cat';
  return Object.assign(environment, gitConfig(host), WITHOUT_TERMINAL, {
    PWD: options.directory,
    [TAG_VARIABLE]: host[TAG_VARIABLE] === undefined ? options.tag : `${host[TAG_VARIABLE]} ${options.tag}`,
  });
}

export type HostEnvironment = { readonly [name: string]: string | undefined };
export type CommandEnvironment = { readonly [name: string]: string };

export type EnvironmentOptions = {
  /** Marks every process of one call. Calls within calls have the tags of both. */
  readonly tag: string;
  readonly directory: string;
  /** Names that are let through whatever they look like; `*` stands for any characters. */
  readonly pass: readonly string[];
};

const TAG_VARIABLE = 'COUNTERSIGN_CALL';

const WITHOUT_TERMINAL: CommandEnvironment = {
  COUNTERSIGN: '1',
  GEMINI_CLI: '1',
  TERM: 'dumb',
  NO_COLOR: '1',
  PAGER: 'cat',
  GIT_PAGER: 'cat',
  GIT_TERMINAL_PROMPT: '0',
  // Else npm asks whichever registry a project names for a newer npm, even when it only lists.
  npm_config_update_notifier: 'false',
};

/** Meant for this process or for an interactive shell; to a command they would mean something else. */
const OURS = new RegExp(
  `^(?:${[
    'NODE_(?:OPTIONS|V8_COVERAGE|CHANNEL_.*|UNIQUE_ID|COMPILE_CACHE)|VITEST.*|npm_.*|INIT_CWD|OLDPWD',
    'LD_(?:PRELOAD|AUDIT)|DYLD_INSERT_LIBRARIES',
    // Bash runs these, takes them for commands, or reads commands differently because of them.
    'BASH_ENV|ENV|BASH_FUNC_.*|SHELLOPTS|BASHOPTS|BASH_XTRACEFD|PS4|CDPATH|GLOBIGNORE|POSIXLY_CORRECT',
    'FORCE_COLOR|CLICOLOR_FORCE|COLORTERM',
  ].join('|')})$`,
);
/** The socket of an agent is no secret: it lends keys without showing them, and Git over SSH needs it. */
const NOT_SECRET = new Set(['SSH_AUTH_SOCK']);
const SECRET_NAME =
  /KEY|TOKEN|SECRET|PASSW|PASSPHRASE|PASSCODE|CREDENTIAL|AUTH(?!OR(?!I[SZ]))|BEARER|COOKIE|WEBHOOK|CONNECTION_?STRING|(?:^|_)(?:PASS|PAT|JWT|DSN)(?:_|$)|_PWD$/i;
const SECRET_VALUE = new RegExp(
  [
    String.raw`://[^\s/:@]*:[^\s/@]+@`, // an address with a password in it
    String.raw`-----BEGIN [A-Z ]*PRIVATE KEY`,
    String.raw`\b(?:bearer|basic) [\w+/=.-]{8,}`,
    String.raw`\b(?:gh[pousr]_\w{20}|github_pat_\w{20}|glpat-[\w-]{15}|sk-[\w-]{20}|xox[a-z]-[\w-]{10}|npm_\w{30})`,
    String.raw`\b(?:AKIA|ASIA)[0-9A-Z]{16}|\bAIza[\w-]{30}|\beyJ[\w-]{10,}\.[\w-]{10,}\.`,
  ].join('|'),
  'i',
);

/** The environment hardly ever changes, and looking through all of it costs as much as a process. */
const judged = new Map<string, { readonly value: string; readonly withheld: boolean }>();

function isWithheld(name: string, value: string): boolean {
  const known = judged.get(name);
  if (known?.value === value) return known.withheld;
  const isSecret = !NOT_SECRET.has(name) && (SECRET_NAME.test(name) || SECRET_VALUE.test(value));
  const withheld = isSecret || OURS.test(name);
  judged.set(name, { value, withheld });
  return withheld;
}

const isPassed = (name: string, pass: readonly string[]) =>
  pass.some((pattern) => (pattern.includes('*') ? globOf(pattern).test(name) : pattern === name));

const globOf = (pattern: string) =>
  new RegExp(`^${pattern.replace(/[^A-Za-z0-9_*]/g, '\\$&').replaceAll('*', '.*')}$`);

const isGitConfig = (name: string) => /^GIT_CONFIG_(?:COUNT|KEY_\d+|VALUE_\d+)$/.test(name);

/** Settings that Git takes from numbered variables, an identity for instance. One omitted must leave no gap. */
function gitConfig(host: HostEnvironment): CommandEnvironment {
  const kept: { [name: string]: string } = {};
  let count = 0;
  for (let index = 0; index < Number(host['GIT_CONFIG_COUNT'] ?? 0); index += 1) {
    const key = host[`GIT_CONFIG_KEY_${index}`];
    const value = host[`GIT_CONFIG_VALUE_${index}`];
    if (key === undefined || value === undefined) break;
    if (SECRET_VALUE.test(key) || SECRET_VALUE.test(value) || /extraheader|password/i.test(key)) continue;
    kept[`GIT_CONFIG_KEY_${count}`] = key;
    kept[`GIT_CONFIG_VALUE_${count}`] = value;
    count += 1;
  }
  return count === 0 ? {} : { ...kept, GIT_CONFIG_COUNT: String(count) };
}
