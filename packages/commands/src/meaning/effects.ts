import type { CommandAnalysis, CommandUnit, CommandWord } from '@countersign/protocol';
import { pathWords } from './path-words.js';
import { type Looks, looksOnly } from './read-only.js';

/** What a command line would do to what others read and write, in ordinary use (SPEC S2). */
export type Effects =
  | { readonly type: 'none' }
  | { readonly type: 'reads' }
  | { readonly type: 'unknown'; readonly why: string };

export function effectsOf(analysis: CommandAnalysis): Effects {
  const { invalid, problem, evaluations, units } = analysis;
  const why = invalid ?? problem ?? evaluations[0]?.why;
  if (why !== undefined) return { type: 'unknown', why };
  let reads = false;
  for (const unit of units) {
    const effects = unitEffects(unit);
    if (effects.type === 'unknown') return effects;
    reads ||= effects.type === 'reads';
  }
  return { type: reads ? 'reads' : 'none' };
}

export function unitEffects(unit: CommandUnit): Effects {
  const { role, concerns, words, redirects } = unit;
  const reads: Effects = { type: redirects.some(({ effect }) => effect === 'reads') ? 'reads' : 'none' };
  if (role.type === 'opaque') return { type: 'unknown', why: role.why };
  const [concern] = concerns;
  if (concern !== undefined) return { type: 'unknown', why: concern.why };
  if (role.type === 'neutral') return reads;
  const looks: Looks | null = looksOnly(words);
  if (looks === null) return { type: 'unknown', why: `${words[0]?.source ?? 'it'} may change something` };
  return looks === 'at-files' ? { type: 'reads' } : reads;
}

/** Paths that a command which only reads may look at; `unknown` when they are not all spelled out. */
export type Reads =
  | {
      readonly type: 'known';
      readonly paths: readonly string[];
      /** Where it goes with `cd`; null if it stays where it is. */
      readonly folder: string | null;
    }
  | { readonly type: 'unknown' };

/**
 * Words that may be paths, as written from the folder it runs in, or from the one it goes to; a `~` at the start is the
 * home folder, and `~name` that of another.
 */
export function readsOf(analysis: CommandAnalysis): Reads {
  if (effectsOf(analysis).type === 'unknown') return { type: 'unknown' };
  const { isSpelledOut, pathIn } = pathWords(analysis);
  const paths = new Set<string>();
  let folder: string | null = null;
  for (const unit of analysis.units) {
    const named = unit.redirects.flatMap(({ effect, target }) =>
      effect === 'reads' && target !== null ? [target] : [],
    );
    const looks = unit.role.type === 'command' ? looksOnly(unit.words) : null;
    const isFolderChange = /^(?:cd|pushd)$/.test(unit.program ?? '');
    const given = looks === 'at-files' || isFolderChange ? unit.words.slice(1) : [];
    for (const word of [...named, ...given]) {
      if (word.values !== undefined && !isFolderChange) {
        for (const { path } of word.values) paths.add(path);
        continue;
      }
      if (!isSpelledOut(word) || (isFolderChange && word.text === '-')) return { type: 'unknown' };
      const path = pathIn(word);
      if (path !== null) paths.add(path);
    }
    if (!isFolderChange) continue;
    // From the second one on, what a path is relative to is a matter of luck.
    if (folder !== null) return { type: 'unknown' };
    folder = folderIn(unit.words, pathIn);
    paths.add(folder);
  }
  return { type: 'known', paths: [...paths], folder };
}

/** Where `cd` goes; alone it goes home. */
function folderIn(words: readonly CommandWord[], pathIn: (word: CommandWord) => string | null): string {
  const [target = '~'] = words.slice(1).flatMap((word) => pathIn(word) ?? []);
  return target;
}
