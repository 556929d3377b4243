import { baseName } from '@countersign/kernel';
import type {
  CommandAnalysis,
  CommandConcern,
  CommandUnit,
  CommandWord,
  RiskLevel,
} from '@countersign/protocol';
import { unitEffects } from './effects.js';

/** How much harm a command line could do, in words that a person understands. */
export type Risk = { readonly level: RiskLevel; readonly reasons: readonly string[] };

type Reason = { readonly level: RiskLevel; readonly text: string };

const WEIGHT: { readonly [L in RiskLevel]: number } = { low: 0, medium: 1, high: 2 };

export function riskOf(analysis: CommandAnalysis): Risk {
  const reasons = [
    ...textRisks(analysis),
    ...pipelineRisks(analysis),
    ...analysis.units.flatMap(unitRisks),
  ].toSorted((a, b) => WEIGHT[b.level] - WEIGHT[a.level]);
  return { level: reasons[0]?.level ?? 'low', reasons: [...new Set(reasons.map(({ text }) => text))] };
}

function textRisks({ invalid, problem, hiddenCharacters, evaluations }: CommandAnalysis): Reason[] {
  const why = [
    ...(invalid === null ? [] : [`cannot be run: ${invalid}`]),
    ...(problem === null || invalid !== null ? [] : [`cannot be parsed as bash: ${problem}`]),
    ...(hiddenCharacters.length === 0 ? [] : ['holds invisible characters']),
    ...evaluations.map(
      (each) => `${each.why}, and that text holds a command or sets a variable that matters`,
    ),
  ];
  return why.map((text) => ({ level: 'high', text }));
}

/** What only shows when the commands are seen together. */
function pipelineRisks({ units }: CommandAnalysis): Reason[] {
  const downloads = units.some(({ program }) => DOWNLOADERS.test(baseName(program ?? '')));
  const runsInput = units.some(
    ({ concerns, role }) => role.type === 'opaque' || concerns.some(({ type }) => type === 'code'),
  );
  return downloads && runsInput ? [{ level: 'high', text: 'downloads and runs a script' }] : [];
}

const DOWNLOADERS = /^(?:curl|wget|fetch|aria2c)$/;

function unitRisks(unit: CommandUnit): Reason[] {
  if (unit.role.type === 'opaque') return [{ level: 'high', text: unit.role.why }];
  const concerns = unit.concerns.map((concern) => concernRisk(concern, unit));
  const known = programRisks(unit.words);
  if (known.length > 0 || concerns.length > 0) return [...known, ...concerns];
  const effects = unitEffects(unit);
  const name = unit.program ?? 'a command';
  return effects.type === 'unknown'
    ? [{ level: 'medium', text: `runs ${name}, whose effects are not known` }]
    : [];
}

const TELLING_TARGET =
  /(?:^|\/)(?:\.(?:bashrc|bash_profile|profile|zshrc|zshenv|zprofile|netrc|npmrc|gitconfig)$|\.ssh\/|\.git\/(?:hooks|config)|\.config\/autostart)|^\/(?:etc|usr|bin|sbin|boot|dev)\//;

function concernRisk(concern: CommandConcern, { program }: CommandUnit): Reason {
  switch (concern.type) {
    case 'redirect':
      return TELLING_TARGET.test(concern.why.replace(/^writes to /, ''))
        ? { level: 'high', text: `${concern.why}, which other programs trust` }
        : { level: 'medium', text: concern.why };
    case 'variable':
      return { level: 'medium', text: concern.why };
    case 'escape':
      return {
        level: 'medium',
        text: `${program ?? 'it'} ${concern.why}${concern.word === null ? '' : ` (${shortened(concern.word)})`}`,
      };
    case 'code':
      return { level: 'high', text: concern.why };
  }
}

const SHOWN_CHARS_MAX = 60; // enough to recognise a word by; the whole command stands beside it
const shortened = (text: string): string =>
  text.length <= SHOWN_CHARS_MAX ? text : `${text.slice(0, SHOWN_CHARS_MAX)}…`;

/** What a known program does; `when` is matched on its arguments, joined by blanks. */
type ProgramRisk = {
  readonly programs: RegExp;
  readonly when?: RegExp;
  readonly level: RiskLevel;
  readonly text: string;
};

const PROGRAM_RISKS: readonly ProgramRisk[] = [
  { programs: /^rm$/, when: /(?:^| )(?:-\w*[rR]|--rec)/, level: 'high', text: 'deletes files recursively' },
  { programs: /^(?:rm|unlink|rmdir|trash)$/, level: 'medium', text: 'deletes files' },
  {
    programs: /^(?:sudo|doas|su|pkexec|gosu|runuser)$/,
    level: 'high',
    text: 'runs as another user, usually root',
  },
  {
    programs: /^(?:dd|mkfs(?:\..*)?|fdisk|parted|wipefs|shred|mkswap)$/,
    level: 'high',
    text: 'overwrites disks or files beyond recovery',
  },
  { programs: /^(?:shutdown|reboot|halt|poweroff|init)$/, level: 'high', text: 'stops the machine' },
  {
    programs: /^(?:chmod|chown|chgrp)$/,
    when: /(?:^| )(?:-\w*R|--rec)/,
    level: 'high',
    text: 'changes permissions recursively',
  },
  { programs: /^(?:chmod|chown|chgrp|setfacl|chattr)$/, level: 'medium', text: 'changes permissions' },
  { programs: /^(?:kill|pkill|killall)$/, level: 'medium', text: 'ends processes' },
  {
    programs: /^(?:crontab|at|systemctl|service|launchctl)$/,
    level: 'high',
    text: 'changes what runs on this machine later',
  },
  {
    programs: /^(?:mount|umount|chroot|nsenter|unshare|iptables|nft|sysctl|modprobe|insmod)$/,
    level: 'high',
    text: 'changes the system itself',
  },
  {
    programs: /^git$/,
    when: /\bpush\b.*(?: -\w*f| --force| \+| --delete| --mirror)/,
    level: 'high',
    text: 'rewrites history in another repository',
  },
  {
    programs: /^git$/,
    when: /\b(?:filter-branch|filter-repo|rebase|reset --hard|commit .*--amend|reflog expire|gc --prune)/,
    level: 'high',
    text: 'rewrites git history or discards changes',
  },
  {
    programs: /^git$/,
    when: /\bclean\b|\b(?:checkout|restore)\b.*(?: -- | \.$)|\bstash (?:drop|clear)/,
    level: 'high',
    text: 'discards changes that are in no commit',
  },
  { programs: /^git$/, when: /\bpush\b/, level: 'medium', text: 'publishes commits' },
  {
    programs: /^git$/,
    when: /\b(?:clone|fetch|pull|ls-remote)\b|remote update|submodule update/,
    level: 'medium',
    text: 'fetches from the network',
  },
  {
    programs: /^(?:npm|pnpm|yarn|cargo|gem|twine|poetry|docker|podman)$/,
    when: /(?:^| )(?:publish|upload|push|unpublish|yank)\b/,
    level: 'high',
    text: 'publishes for others to use',
  },
  {
    programs: /^(?:npm|pnpm|yarn|bun)$/,
    when: /^(?:-\S+ )*(?:install|i|ci|add|update|up|upgrade|remove|rm|uninstall|dlx|exec|create|init)\b|^$/,
    level: 'medium',
    text: 'installs packages, which may run scripts of their own',
  },
  {
    programs: /^(?:pip3?|pipx|uv|conda|gem|cargo|go|brew|apt|apt-get|dnf|yum|pacman|apk|snap)$/,
    when: /(?:^| )(?:install|add|upgrade|remove|uninstall|purge|-S\w*)\b/,
    level: 'medium',
    text: 'installs or removes packages',
  },
  {
    programs: /^(?:npx|bunx|uvx|pnpx)$/,
    level: 'medium',
    text: 'runs a package, which it may download first',
  },
  {
    programs: /^(?:npm|pnpm|yarn|bun|make|gradle|mvn|rake|just|task)$/,
    level: 'medium',
    text: "runs the project's own scripts",
  },
  {
    programs: /^curl$/,
    when: /(?:^| )(?:-d|-F|-T|--data\S*|--form\S*|--upload-file|-X ?(?:POST|PUT|PATCH|DELETE)|--request)/,
    level: 'high',
    text: 'sends data over the network',
  },
  { programs: /^(?:nc|ncat|netcat|socat|telnet|ftp)$/, level: 'high', text: 'sends data over the network' },
  { programs: /^(?:scp|sftp|rsync)$/, when: /\S:/, level: 'medium', text: 'sends data over the network' },
  { programs: /^(?:ssh|mosh)$/, level: 'medium', text: 'runs commands on another machine' },
  { programs: /^(?:curl|wget|aria2c)$/, level: 'medium', text: 'fetches from the network' },
  {
    programs: /^(?:python[\d.]*|node|perl|ruby|php|deno|lua|osascript)$/,
    when: /(?:^| )(?:-c|-e|-r|--eval|-p|eval)\b/,
    level: 'medium',
    text: 'runs code given on the command line',
  },
  { programs: /^(?:eval|source|\.)$/, level: 'medium', text: 'runs code in this shell' },
  {
    programs: /^(?:docker|podman)$/,
    when: /(?:^| )(?:rm|rmi|prune|kill|stop|down)\b/,
    level: 'high',
    text: 'removes containers, images or volumes',
  },
  {
    programs: /^(?:kubectl|helm|terraform|aws|gcloud|az|pulumi)$/,
    when: /\b(?:delete|destroy|apply|rm|terminate\S*|uninstall|drain)\b/,
    level: 'high',
    text: 'changes or removes things outside this machine',
  },
  {
    programs: /^(?:mv|cp|ln|install|tee|touch|mkdir|truncate|patch)$/,
    level: 'medium',
    text: 'writes files',
  },
  { programs: /^(?:find|fd)$/, when: /(?:^| )-delete\b/, level: 'high', text: 'deletes the files it finds' },
];

function programRisks(words: readonly CommandWord[]): Reason[] {
  const name = baseName(words[0]?.text ?? '');
  const rest = words
    .slice(1)
    .map(({ outline }) => outline)
    .join(' ');
  const found = PROGRAM_RISKS.find(
    ({ programs, when }) => programs.test(name) && (when === undefined || when.test(rest)),
  );
  return found === undefined || looksAtHelp(words) ? [] : [{ level: found.level, text: found.text }];
}

const looksAtHelp = (words: readonly CommandWord[]): boolean =>
  words.length === 2 && /^--(?:version|help)$/.test(words[1]?.text ?? '');
