import type { LineBody } from './placeholder-line.js';

const set = (words: string): ReadonlySet<string> => new Set(words.split(/\s+/u));

const CODE =
  set(`code implementation implementations method methods function functions class classes component
  components import imports module script program file logic`);
/** Often omitted whole, but also what code is about. */
const WHOLES = set('content contents body document page html markup template');
const PARTS =
  set(`line lines test tests field fields prop props property properties entry entries item items style
  styles rule rules route routes handler handlers case cases statement statements declaration declarations element
  elements section sections part parts type types variable variables constant constants config configuration settings
  option options attribute attributes column columns row rows parameter parameters argument arguments setup helpers
  exports dependencies steps definitions`);
const LEFT_AS_IT_IS =
  set(`unchanged unmodified untouched unaltered intact same identical remain remains stay stays
  omitted elided skipped truncated abbreviated hidden shown before brevity continues continue as-is`);
const OTHERS = set('other original previous remaining existing current old more additional');
const FILLERS =
  set(`the a an all of any your this that our my its it is are be been will would should must to and or
  for in on with as from here there above below goes go follows keep leave left kept insert copy paste include retain
  preserve add put place not no etc just only still also exactly rest`);

/** What every such comment has at least one of: quickly seen to be missing from most lines. */
export const SIGNS = /\.{3}|…|rest|exist|remain|same|stay|un(?:ch|mod|touch|alt)|omit|elid|brevity/iu;

const NAMES_CODE_ITSELF = set('code implementation implementations imports methods functions');
const LEAVES_OUT = set('unchanged omitted elided unmodified untouched');

/**
 * Whether a comment stands for lines that its writer omitted. Every word must
 * be one that such comments are made of, so that a comment which says anything
 * about the program itself is none. The fewer of the signs there are (an
 * ellipsis, "rest", "unchanged"), the plainer the others must be: code also has
 * comments like "the other fields are unchanged".
 */
export function announcesOmission({ words, ellipsis }: LineBody): boolean {
  if (words.length === 0) return true;
  if (!words.every(isKnown)) return false;
  const has = (some: ReadonlySet<string>) => words.some((word) => some.has(word));
  const says = (word: string) => words.includes(word);
  const isLeft = has(LEFT_AS_IT_IS) || words.join(' ').includes('as is');

  if (says('brevity')) return true;
  if (ellipsis === 'before' && isLeft) return true;
  if (ellipsis !== 'none' && (has(LEAVES_OUT) || says('rest'))) return true;
  if (ellipsis !== 'none' && has(OTHERS) && (has(CODE) || has(WHOLES) || has(PARTS))) return true;
  if (ellipsis === 'before' && (has(CODE) || has(WHOLES) || has(PARTS))) return true;
  if (says('rest')) return has(CODE) || (isLeft && !has(PARTS));
  if ((says('existing') || says('remaining')) && (says('code') || says('implementation'))) return true;
  if (has(OTHERS) && isLeft && (has(CODE) || (says('existing') && has(WHOLES)))) return true;
  return has(LEAVES_OUT) && (has(NAMES_CODE_ITSELF) || says('lines'));
}

const KNOWN = [CODE, WHOLES, PARTS, LEFT_AS_IT_IS, OTHERS, FILLERS];
const isKnown = (word: string): boolean => KNOWN.some((words) => words.has(word)) || /^\d+$/u.test(word);
