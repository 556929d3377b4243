/**
 * A glob as in ignore files, compiled to steps and matched by following all
 * possibilities at once: time grows with text times pattern, never faster, so
 * no pattern can hang the process.
 *
 * `*` and `?` stop at `/`; a leading or inner double star with a slash means
 * any directories or none; a trailing one means everything inside; `[a-z]`,
 * `[!a]` and `\` work as usual.
 */
export type Glob = { readonly matches: (text: string) => boolean };

type Step =
  | { readonly type: 'character'; readonly character: string }
  | {
      readonly type: 'class';
      readonly ranges: readonly (readonly [string, string])[];
      readonly negated: boolean;
    }
  | { readonly type: 'one' }
  | { readonly type: 'run' }
  /** Zero or more whole directories, each with its slash. */
  | { readonly type: 'directories' }
  /** Everything to the end, at least one character. */
  | { readonly type: 'rest' };

export function compileGlob(pattern: string): Glob {
  const steps = stepsOf(pattern);
  return { matches: (text) => follow(steps, text) };
}

function follow(steps: readonly Step[], text: string): boolean {
  let places = reach(steps, new Set(), 0);
  for (const character of text) {
    const next = new Set<number>();
    for (const place of places) {
      const step = steps[place];
      if (step !== undefined) take(steps, next, place, step, character);
    }
    if (next.size === 0) return false;
    places = next;
  }
  return places.has(steps.length);
}

/** Adds a place and all that can be reached from it without a character. */
function reach(steps: readonly Step[], places: Set<number>, place: number): Set<number> {
  places.add(place);
  const type = steps[place]?.type;
  return type === 'run' || type === 'directories' ? reach(steps, places, place + 1) : places;
}

function take(steps: readonly Step[], next: Set<number>, place: number, step: Step, character: string): void {
  switch (step.type) {
    case 'character':
      if (step.character === character) reach(steps, next, place + 1);
      return;
    case 'class':
      if (character !== '/' && isInClass(step, character)) reach(steps, next, place + 1);
      return;
    case 'one':
      if (character !== '/') reach(steps, next, place + 1);
      return;
    case 'run':
      if (character !== '/') reach(steps, next, place);
      return;
    case 'directories':
      // In the middle of a name there is no way on; after its slash there is.
      if (character === '/') reach(steps, next, place);
      else next.add(place);
      return;
    case 'rest':
      next.add(place);
      next.add(place + 1);
      return;
  }
}

const isInClass = (step: Extract<Step, { type: 'class' }>, character: string): boolean =>
  step.ranges.some(([from, to]) => from <= character && character <= to) !== step.negated;

function stepsOf(pattern: string): Step[] {
  const steps: Step[] = [];
  const characters = Array.from(pattern);
  for (let at = 0; at < characters.length; ) at = readStep(characters, at, steps);
  return steps;
}

/** Reads one step and says where the next begins. */
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
  if (escaped !== undefined) return pushed(steps, { type: 'character', character: escaped }, at + 2);
  return pushed(steps, { type: 'character', character }, at + 1);
}

function readClass(characters: readonly string[], start: number, steps: Step[]): number {
  const negated = characters[start + 1] === '!' || characters[start + 1] === '^';
  const first = negated ? start + 2 : start + 1;
  const ranges: [string, string][] = [];
  for (let at = first; at < characters.length; ) {
    // A bracket in first place stands for itself.
    if (characters[at] === ']' && at > first)
      return pushed(steps, { type: 'class', ranges, negated }, at + 1);
    const from = characters[at] ?? '';
    const to = characters[at + 1] === '-' && characters[at + 2] !== ']' ? characters[at + 2] : undefined;
    ranges.push([from, to ?? from]);
    at += to === undefined ? 1 : 3;
  }
  // Never closed: an ordinary character.
  return pushed(steps, { type: 'character', character: '[' }, start + 1);
}

function pushed(steps: Step[], step: Step, next: number): number {
  // Twice any directories is still any directories; so no chain of steps that need no character gets long.
  if (step.type !== 'directories' || steps.at(-1)?.type !== 'directories') steps.push(step);
  return next;
}
