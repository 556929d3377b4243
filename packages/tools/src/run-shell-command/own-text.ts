import { posix } from 'node:path';
import { homeDirectory, isOurs } from '@countersign/host';
import type { CommandAnalysis, CommandUnit } from '@countersign/protocol';

/**
 * What the text of a line names that is ours, wherever in it that stands: in an
 * address, in code for an interpreter, in a here-string. Words that are only shown
 * or searched for do not count, unless something else of the line takes them in.
 */
export type OwnText = {
  /** One of our files or directories, as it is named; null if none is. */
  readonly file: string | null;
  /** A port of ours, and whether it is this machine's for certain; null if none is named. */
  readonly port: { readonly number: number; readonly isHere: boolean } | null;
  /** Whether a shell or interpreter is given our name, with something to do, as its input. */
  readonly runsUs: boolean;
};

export function ownText(
  analysis: CommandAnalysis,
  directory: string,
  { ours, ports }: { readonly ours: readonly string[]; readonly ports: readonly number[] },
): OwnText {
  const touching = plainText(analysis, SHOWS_WORDS);
  const naming = plainText(analysis, LOOKS);
  return {
    file: pathIn(touching, directory, ours) ?? OWN_FILE.exec(naming)?.[0] ?? null,
    port: portIn(naming, analysis, ports),
    runsUs: analysis.units.some(takesCode) && CALLS_US.test(unquoted(analysis.text)),
  };
}

/** They print their words or search for them, and open no file that other checks do not see. */
const SHOWS_WORDS = /^(?:echo|printf|grep|egrep|fgrep|rg|gh)$/;
/** They look at files that they are given as plain paths. */
const LOOKS =
  /^(?:echo|printf|grep|egrep|fgrep|rg|gh|cat|bat|ls|head|tail|less|more|wc|stat|file|sed|cut|sort|uniq|find|fd|tree|diff|cmp|jq|seq|sleep|test|\[|cd|pwd|true)$/;
const GIT_RECORDS = /^(?:add|commit|tag|status|log|diff|show|blame|grep)$/;
const GIT_READS_MORE =
  /^(?:-c|-C|-F|-t|--config.*|--file.*|--template.*|--no-index|--git-dir.*|--work-tree.*)$/;

/** The line as a program would be given it, without the commands whose words are harmless. */
function plainText({ text, units, problem, evaluations }: CommandAnalysis, harmless: RegExp): string {
  const isFree = (unit: CommandUnit) => isHarmless(unit, harmless);
  const others = units.filter((unit) => !isFree(unit));
  if (others.length === 0 && problem === null && evaluations.length === 0) return '';
  const takesIn = ({ input, role }: CommandUnit) => input === 'given' || role.type === 'opaque';
  if (problem !== null || evaluations.length > 0 || others.some(takesIn)) return unquoted(text);
  let rest = text;
  for (const unit of units) {
    const { start, end } = unit.span;
    const isAround = others.some(({ span }) => span.start >= start && span.end <= end);
    if (!isFree(unit) || isAround || unit.redirects.some(({ effect }) => effect === 'writes')) continue;
    rest = rest.slice(0, start) + ' '.repeat(end - start) + rest.slice(end);
  }
  return unquoted(rest);
}

function isHarmless({ words, role, redirects }: CommandUnit, harmless: RegExp): boolean {
  if (role.type === 'opaque' || redirects.some(({ effect }) => effect === 'network')) return false;
  const [program = '', ...rest] = words.map(({ outline }) => outline);
  if (program !== 'git') return harmless.test(program);
  return GIT_RECORDS.test(rest[0] ?? '') && !rest.some((word) => GIT_READS_MORE.test(word));
}

/** With the home directory in the place of what stands for it, and without quotes and escapes. */
function unquoted(text: string): string {
  const home = homeDirectory(process.env) ?? '~';
  return text
    .replace(/["'\\]/g, '')
    .replace(/\$HOME\b|\$\{HOME\}|(?<![\w/.])~(?=\/)/g, () => home)
    .replace(/%([2-7][\da-f])/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
    .replace(/\/(?:\.?\/)+/g, '/');
}

const PATH_END = /[\s"'`<>|;&(),?#]/;

function pathIn(text: string, directory: string, ours: readonly string[]): string | null {
  for (const own of ours) {
    let at = text.indexOf(own);
    for (; at >= 0; at = text.indexOf(own, at + 1)) {
      const rest = text.slice(at);
      const end = rest.search(PATH_END);
      const path = posix.normalize(end < 0 ? rest : rest.slice(0, end));
      if (isOurs(path, own, directory)) return path;
    }
  }
  return null;
}

const OWN_FILE =
  /(?<![\w.-])(?:server-tokens\.json|countersign\.db(?:-wal|-shm)?|server-browsers)(?![\w.-])/i;

const HERE =
  /(?<![\w.])(?:0*127(?:\.\d{1,10}){1,3}|0+177(?:\.\d{1,10}){0,3}|0+17700000001|0x0*7f[\da-fx.]*|2130706433|0\.0\.0\.0|(?:[\w.-]+\.)?localhost|ip6-localhost)(?!\w)|::1(?![\w:])|::ffff:|\[::\]|(?:0{1,4}:){7}0{0,3}1|\/dev\/(?:tcp|udp)\//i;

function portIn(text: string, { units }: CommandAnalysis, ports: readonly number[]): OwnText['port'] {
  const opened = units.flatMap(({ redirects }) => redirects.map(({ target }) => target?.outline ?? ''));
  // Programs read digits of other scripts as digits, too.
  const plain = text.normalize('NFKC');
  for (const number of ports) {
    const whole = new RegExp(`(?<![\\d.])0*${number}(?!\\d|\\.\\d)`);
    if (opened.some((target) => /\/dev\/(?:tcp|udp)\//.test(target) && whole.test(target)))
      return { number, isHere: true };
    if (whole.test(plain) || rangesIn(plain).some(({ from, to }) => from <= number && number <= to))
      return { number, isHere: HERE.test(plain) };
  }
  return null;
}

/** `7400-7500`, and `74[40-50]` and `744{6,7}` of curl. */
function rangesIn(text: string): readonly { readonly from: number; readonly to: number }[] {
  const spans = [...text.matchAll(/(?<!\d)(\d{1,5})-(\d{1,5})(?!\d)/g)].map(([, from, to]) => ({
    from: Number(from),
    to: Number(to),
  }));
  const globs = [...text.matchAll(/(\d{0,4})\[(\d{1,5})-(\d{1,5})(?::\d+)?\](\d{0,4})/g)].map(
    ([, before, from, to, after]) => ({
      from: Number(`${before}${from}${after}`),
      to: Number(`${before}${to}${after}`),
    }),
  );
  const lists = [...text.matchAll(/(\d{0,4})\{([\d,]{1,200})\}(\d{0,4})/g)].flatMap(
    ([, before, list = '', after]) =>
      list.split(',').map((each) => ({
        from: Number(`${before}${each}${after}`),
        to: Number(`${before}${each}${after}`),
      })),
  );
  return [...spans, ...globs, ...lists];
}

const TAKES_CODE = /(?:^|\/)(?:ba|z|da|k|a|fi)?sh$|(?:^|\/)(?:python|node|perl|ruby|php|lua|deno|bun)[\d.]*$/;

const takesCode = ({ program, input, concerns }: CommandUnit): boolean =>
  concerns.some(({ type }) => type === 'code') || (input === 'given' && TAKES_CODE.test(program ?? ''));

/** Our name and something that it is to do; help and version are not meant. */
const CALLS_US =
  /(?:^|[\s/;&|(`[])countersign(?:\.[cm]?js)?[\s,]+(?!(?:help|--help|-h|--version|-V)\b)[a-z-]/i;
