import type { CommandAnalysis, CommandUnit } from '@countersign/protocol';
import { baseName } from './programs.js';

/**
 * Where the commands of a line run, relative to the workspace ('' for its root):
 * the same words are another program elsewhere. Known are a line that stays where
 * it begins, and one that begins with `cd DIR &&` and continues only if that
 * succeeds. null where it is not known, or outside the workspace.
 */
export function lineDirectory(
  { text, units }: Pick<CommandAnalysis, 'text' | 'units'>,
  from: string,
  workspace: string,
): string | null {
  if (leavesByOption(units)) return null;
  const ordered = units.toSorted((a, b) => a.span.start - b.span.start || b.span.end - a.span.end);
  const first = ordered.findIndex((unit) => !moves(unit));
  const moving = first < 0 ? ordered : ordered.slice(0, first);
  if (ordered.slice(moving.length).some(moves)) return null;
  if (moving.length > 0 && !isOneChain(text, ordered)) return null;
  let directory = from;
  for (const { words } of moving) {
    const target = targetOf(words);
    if (target === null) return null;
    directory = joined(directory, target);
  }
  return within(joined('/', directory), joined('/', workspace));
}

const MOVERS: ReadonlySet<string> = new Set(['cd', 'chdir', 'pushd', 'popd']);

const moves = ({ words, program }: CommandUnit): boolean =>
  MOVERS.has(program ?? '') || MOVERS.has(words[0]?.text ?? '');

/** `env -C sub ./x`, `find . -execdir ./x`: a program that runs another one somewhere else. */
function leavesByOption(units: readonly CommandUnit[]): boolean {
  const wrappers = new Set(units.flatMap(({ via }) => via.map(baseName)));
  return units.some(
    ({ words, program }) =>
      (wrappers.has(baseName(program ?? '')) || ALWAYS_WRAPPERS.has(baseName(program ?? ''))) &&
      words.slice(1).some(({ outline }) => ELSEWHERE.test(outline)),
  );
}

const ALWAYS_WRAPPERS: ReadonlySet<string> = new Set(['env', 'find', 'sudo']);
const ELSEWHERE =
  /^-[a-zA-Z]*[CD]|^--(?:chdir|cwd|wd|work-?dir|working-directory|directory)\b|^-(?:exec|ok)dir$/;

/** Joined by `&&` and pipes only: after a `cd` that failed, nothing of it would run where the line began. */
function isOneChain(text: string, ordered: readonly CommandUnit[]): boolean {
  let end = 0;
  for (const [at, { span }] of ordered.entries()) {
    if (span.start >= end) {
      const gap = text.slice(end, span.start);
      if (!(at === 0 ? /^\s*$/ : /^[ \t]*(?:&&|\|)\s*$/).test(gap)) return false;
    }
    end = Math.max(end, span.end);
  }
  return text.slice(end).trim() === '';
}

/** One plain word: no option, no `-`, and nothing that depends on a home directory. */
function targetOf([first, ...rest]: CommandUnit['words']): string | null {
  const [target, ...others] = rest;
  if (first?.text !== 'cd' || target === undefined || others.length > 0) return null;
  if (target.text === null || target.count !== 'one' || /^(?:[-~]|$)/.test(target.text)) return null;
  return target.text;
}

/** As bash changes directory: by the words, without a look at symlinks. */
function joined(from: string, to: string): string {
  const parts: string[] = [];
  for (const part of (to.startsWith('/') ? to : `${from}/${to}`).split('/')) {
    if (part === '..') parts.pop();
    else if (part !== '' && part !== '.') parts.push(part);
  }
  return `/${parts.join('/')}`;
}

function within(path: string, workspace: string): string | null {
  if (path === workspace) return '';
  const root = workspace === '/' ? '/' : `${workspace}/`;
  return path.startsWith(root) ? path.slice(root.length) : null;
}
