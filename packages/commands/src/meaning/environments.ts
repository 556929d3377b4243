import { baseName } from '@countersign/kernel';
import type { CommandAnalysis, CommandWord } from '@countersign/protocol';

/** Whether a command line may print the environment of other processes, in which programs keep their keys. */
export const printsEnvironments = ({ units }: CommandAnalysis): boolean =>
  units.some(({ words, program }) => baseName(program ?? '') === 'ps' && psPrintsEnvironments(words));

/** Options of ps that take the next word, with and without a dash. */
const VALUED_DASHED = 'oOpqCuUgGtsk';
const VALUED_BARE = 'oOpqtUk';
/** Those whose value ps may refuse; it then reads all words again, as if they had no dash. */
const REFUSABLE = /^[uUgGtspq]$/;
const FLAGS_DASHED = /^[aAdeNTfFjlyMcHLmVwZPrn]*$/;

/**
 * Without a dash the letter `e` shows environments; with one it selects every
 * process. `ps -auxe` is no valid set of options, so that ps reads it as
 * `auxe`: whatever it could refuse counts as if it had no dash.
 */
function psPrintsEnvironments(words: readonly CommandWord[]): boolean {
  let mayBeRefused = false;
  let holdsLetter = false;
  for (let index = 1; index < words.length; index += 1) {
    const { text = null } = words[index] ?? {};
    if (text === null) return true;
    if (text.startsWith('--')) {
      const [, option = '', value] = /^(--[\w-]+)(?:=(.*))?$/s.exec(text) ?? [];
      if (!'--format'.startsWith(option)) continue;
      if (value === undefined) index += 1;
      if (isEnvironmentFormat(value ?? words[index]?.text ?? null)) return true;
      continue;
    }
    const isDashed = text.startsWith('-');
    const letters = isDashed ? text.slice(1) : text;
    if (/^[\d,]+$/.test(letters)) continue;
    if (isDashed && letters.includes('E')) return true;
    const valued = isDashed ? VALUED_DASHED : VALUED_BARE;
    const at = letters.search(new RegExp(`[${valued}]`));
    const flags = at === -1 ? letters : letters.slice(0, at);
    if (!isDashed && flags.includes('e')) return true;
    if (isDashed && !FLAGS_DASHED.test(flags)) mayBeRefused = true;
    holdsLetter ||= flags.includes('e');
    if (at === -1) continue;
    const letter = letters[at] ?? '';
    const isAttached = at + 1 < letters.length;
    if (!isAttached) index += 1;
    const value = isAttached ? letters.slice(at + 1) : (words[index]?.text ?? null);
    if (/^[oOk]$/.test(letter)) {
      if (isEnvironmentFormat(value)) return true;
      continue;
    }
    if (value === null) return true;
    if (!REFUSABLE.test(letter) || /^[\d,]+$/.test(value) || value === 'root') continue;
    mayBeRefused = true;
    holdsLetter ||= value.includes('e');
  }
  return mayBeRefused && holdsLetter;
}

const isEnvironmentFormat = (format: string | null): boolean => format === null || /env/i.test(format);
