import { COMMAND_FORMS, writeCommand } from './commands.js';
import { Draft } from './draft.js';
import { PROGRAM_FORMS } from './programs.js';
import { WORD_FORMS, writeWord } from './words.js';

export type GeneratedLine = { readonly text: string; readonly constructs: readonly string[] };

const SPOILT = 'spoilt text';

/** Everything that lines are made of (SEMANTICS 1.2), by the names that they are counted under. */
export const CONSTRUCTS: readonly string[] = [
  ...[...COMMAND_FORMS, ...PROGRAM_FORMS, ...WORD_FORMS].flatMap((forms) => Object.keys(forms)),
  SPOILT,
];

const DEPTH_MAX = 4;
const MUTATED_PERCENT = 15;
/** What is put in: whatever changes how the text around it is read. */
const PIECES = [
  ...'\'"\\`$(){}[];&|<>#\n !=~*'.split(''),
  '$(',
  '<<E',
  '((',
  '))',
  '[[',
  '\\\n',
  'case',
  ' in ',
  'esac',
  ';;',
  'do',
  '${',
  "$'",
  'pa',
  ' pb ',
];

/** The line of that number under a seed, always the same. Some are spoilt, since attackers do not write well-formed text. */
export function generateLine(seed: number, number: number): GeneratedLine {
  const draft = new Draft(Math.imul(seed, 0x9e3779b1) ^ Math.imul(number + 1, 0x85ebca6b), {
    command: writeCommand,
    word: writeWord,
  });
  const text = draft.command(DEPTH_MAX);
  if (!draft.chance(MUTATED_PERCENT)) return { text, constructs: draft.constructs };
  draft.constructs.push(SPOILT);
  return { text: spoil(text, draft), constructs: draft.constructs };
}

function spoil(text: string, draft: Draft): string {
  const at = draft.placeIn(text);
  const piece = draft.pick(PIECES);
  const spoilt = draft.pick([
    text.slice(0, at) + piece + text.slice(at),
    text.slice(0, at) + text.slice(at + 1),
    text.slice(0, at) + piece + text.slice(at + 1),
    text.slice(0, at),
  ]);
  return draft.chance(30) ? spoil(spoilt, draft) : spoilt;
}
