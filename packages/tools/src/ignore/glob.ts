/**
 * A glob as in ignore files, compiled to steps and matched by following all
 * possibilities at once: time grows with text times pattern, never faster, so
 * no pattern can hang the process (`*a*a*a*a*b` as a regular expression can).
 *
 * `*` and `?` stop at `/`; a leading or inner double star with a slash means
 * any directories or none; a trailing one means everything inside; `[a-z]`,
 * `[!a]` and `\` work as usual.
 */
export type Glob = { readonly matches: (text: string) => boolean };

/** Characters are kept as their code points. */
type Step =
  | { readonly type: 'character'; readonly code: number }
  | {
      readonly type: 'class';
      readonly ranges: readonly (readonly [number, number])[];
      readonly negated: boolean;
    }
  | { readonly type: 'one' }
  | { readonly type: 'run' }
  /** Zero or more whole directories, each with its slash. */
  | { readonly type: 'directories' }
  /** Everything to the end, at least one character. */
  | { readonly type: 'rest' };

export function compileGlob(pattern: string, letterCase: 'matters' | 'ignored' = 'matters'): Glob {
  if (letterCase === 'ignored') {
    const glob = compileGlob(pattern.toLowerCase());
    return { matches: (text) => glob.matches(text.toLowerCase()) };
  }
  return plainGlob(pattern) ?? new Automaton(stepsOf(pattern));
}

/** Most globs are a name, or `*` and the end of one, at any depth or right here: these match without an automaton. */
function plainGlob(pattern: string): Glob | null {
  const [, anywhere, star, plain] = /^(\*\*\/)?(\*?)([^*?[\\]*)$/.exec(pattern) ?? [];
  if (plain === undefined || (star === '*' && plain.includes('/'))) return null;
  if (anywhere === undefined && star === '') return { matches: (text) => text === plain };
  if (anywhere === undefined) return { matches: (text) => text.endsWith(plain) && !text.includes('/') };
  if (star === '*') return { matches: (text) => text.endsWith(plain) };
  const below = `/${plain}`;
  return { matches: (text) => text === plain || text.endsWith(below) };
}

const SLASH = 0x2f;
const MOVES_KEPT_MAX = 10_000; // names of a tree use a few hundred; a hostile tree may not fill the memory

/** Where in the pattern one may be, and where each character seen there so far led. */
type State = {
  readonly places: ReadonlySet<number>;
  readonly accepts: boolean;
  readonly moves: Map<number, State>;
};

/** Remembers every move it worked out: the tenth thousandth name costs one look-up a character. */
class Automaton implements Glob {
  readonly #steps: readonly Step[];
  #start: State;
  #states = new Map<string, State>();
  #movesKept = 0;

  constructor(steps: readonly Step[]) {
    this.#steps = steps;
    this.#start = this.#stateOf(reach(steps, new Set(), 0));
  }

  matches(text: string): boolean {
    let state = this.#start;
    for (let at = 0; at < text.length; ) {
      const code = text.codePointAt(at) ?? 0;
      at += code > 0xffff ? 2 : 1;
      state = state.moves.get(code) ?? this.#move(state, code);
      if (state.places.size === 0) return false;
    }
    return state.accepts;
  }

  #move(from: State, code: number): State {
    const places = new Set<number>();
    for (const place of from.places) {
      const step = this.#steps[place];
      if (step !== undefined) take(this.#steps, places, place, step, code);
    }
    if (this.#movesKept === MOVES_KEPT_MAX) this.#forget();
    const to = this.#stateOf(places);
    from.moves.set(code, to);
    this.#movesKept += 1;
    return to;
  }

  #stateOf(places: ReadonlySet<number>): State {
    const key = [...places].sort((a, b) => a - b).join();
    const known = this.#states.get(key);
    if (known !== undefined) return known;
    const state = { places, accepts: places.has(this.#steps.length), moves: new Map() };
    this.#states.set(key, state);
    return state;
  }

  #forget(): void {
    this.#states = new Map();
    this.#movesKept = 0;
    this.#start = this.#stateOf(this.#start.places);
  }
}

/** Adds a place and all that can be reached from it without a character. */
function reach(steps: readonly Step[], places: Set<number>, place: number): Set<number> {
  places.add(place);
  const type = steps[place]?.type;
  return type === 'run' || type === 'directories' ? reach(steps, places, place + 1) : places;
}

function take(steps: readonly Step[], next: Set<number>, place: number, step: Step, code: number): void {
  switch (step.type) {
    case 'character':
      if (step.code === code) reach(steps, next, place + 1);
      return;
    case 'class':
      if (code !== SLASH && isInClass(step, code)) reach(steps, next, place + 1);
      return;
    case 'one':
      if (code !== SLASH) reach(steps, next, place + 1);
      return;
    case 'run':
      if (code !== SLASH) reach(steps, next, place);
      return;
    case 'directories':
      // In the middle of a name there is no way on; after its slash there is.
      if (code === SLASH) reach(steps, next, place);
      else next.add(place);
      return;
    case 'rest':
      next.add(place);
      next.add(place + 1);
      return;
  }
}

const isInClass = (step: Extract<Step, { type: 'class' }>, code: number): boolean =>
  step.ranges.some(([from, to]) => from <= code && code <= to) !== step.negated;

function stepsOf(pattern: string): Step[] {
  const steps: Step[] = [];
  const characters = Array.from(pattern);
  for (let at = 0; at < characters.length; ) at = readStep(characters, at, steps);
  return steps;
}

/** Reads one step and returns where the next begins. */
function readStep(characters: readonly string[], at: number, steps: Step[]): number {
  const character = characters[at] ?? '';
  const atNameStart = at === 0 || characters[at - 1] === '/';
  if (character === '*') {
    let end = at;
    while (characters[end] === '*') end += 1;
    const double = end - at === 2 && atNameStart;
    if (double && characters[end] === '/') return pushed(steps, { type: 'directories' }, end + 1);
    if (double && end === characters.length) return pushed(steps, { type: 'rest' }, end);
    return pushed(steps, { type: 'run' }, end);
  }
  if (character === '?') return pushed(steps, { type: 'one' }, at + 1);
  if (character === '[') return readClass(characters, at, steps);
  const escaped = character === '\\' ? characters[at + 1] : undefined;
  if (escaped !== undefined) return pushed(steps, { type: 'character', code: codeOf(escaped) }, at + 2);
  return pushed(steps, { type: 'character', code: codeOf(character) }, at + 1);
}

function readClass(characters: readonly string[], start: number, steps: Step[]): number {
  const negated = characters[start + 1] === '!' || characters[start + 1] === '^';
  const first = negated ? start + 2 : start + 1;
  const ranges: [number, number][] = [];
  for (let at = first; at < characters.length; ) {
    // A bracket in first place stands for itself.
    if (characters[at] === ']' && at > first)
      return pushed(steps, { type: 'class', ranges, negated }, at + 1);
    const from = characters[at] ?? '';
    const to = characters[at + 1] === '-' && characters[at + 2] !== ']' ? characters[at + 2] : undefined;
    ranges.push([codeOf(from), codeOf(to ?? from)]);
    at += to === undefined ? 1 : 3;
  }
  // Never closed: an ordinary character.
  return pushed(steps, { type: 'character', code: codeOf('[') }, start + 1);
}

const codeOf = (character: string): number => character.codePointAt(0) ?? 0;

function pushed(steps: Step[], step: Step, next: number): number {
  // Twice any directories is still any directories; so no chain of steps that need no character gets long.
  if (step.type !== 'directories' || steps.at(-1)?.type !== 'directories') steps.push(step);
  return next;
}
