/** What must hold in every world, as an observer outside the kernel would put it. */
export const PROPERTIES = {
  // What may run
  consent: 'nothing runs without the consent it needed, for exactly the digest that runs',
  denied: 'what policy denies is neither asked about nor run',
  shown: 'what is asked about is what would run',
  edited: 'a call that was edited is shown again before it runs',
  hooks: 'a hook that denies or asks is heeded, and one that allows answers only what policy merely asks',
  rewritten: 'what a hook made of a call is what is judged, shown and run',
  blocked:
    'what the sandbox stopped is asked about, for this once, and starts again only if a person agrees to what it needs',
  withdrawn: 'a call that somebody cancelled never starts, and if it runs it ends as cancelled',
  takenUp: 'what an earlier process permitted starts only if the rules and the mode in force now let it',
  // How often, beside what, in which order
  once: 'a plan that is not safe to repeat starts at most once for each consent to it, crashes included',
  attempts: 'a plan that is safe to repeat starts no more often than the limit says',
  resumed:
    'what an earlier process began and may still run is taken up, not begun again, and nothing else is',
  looked: 'what AfterTool hooks look at has run and is not run again, and ends when they have looked',
  exclusion: 'conflicting calls never run at the same time',
  order: 'conflicting calls start in request order, unless one was edited meanwhile',
  prompt: 'a call that nothing stands in the way of has started',
  running: 'no more calls run at once than the limit says',
  together: 'with the start rule `together` nothing starts before every call of the turn is decided',
  streamed:
    'while its model still speaks, nothing of a turn is asked about or started; if it breaks off, never',
  queue: 'a turn is not worked on before those ahead of it are over',
  // What is recorded
  moves: 'every move of a call is in the table of SPEC L1',
  settled: 'a call settles exactly once and never changes afterwards',
  truthful:
    'a call ends only when its tool has, with the outcome reported or what hooks made of it, and says if it may have happened',
  followUp: 'a call that a hook asks for is one of the turn, once, and at most so many deep',
  complete: 'a turn ends exactly once, with every call of it settled',
  broken: 'a call that is known to be wrong fails at once',
  restart: 'a restart keeps the mode and counts the processes',
  // Answers and other commands
  first: 'the first answer wins; the same one again is acknowledged, another is told who was first',
  stale: 'an answer for anything but the present question is refused',
  lastWord: 'policy is asked again when the answer arrives, and a deny stops it',
  within: 'changed arguments reach nothing that was not shown',
  refusals: 'a command is refused for the right reason, and what is refused changes nothing else',
  stop: 'cancelling works in every status, and a call that is over ignores it',
  unattended: 'nobody is asked in a turn that nobody attends',
  // Grants
  grantMade: 'a grant is made only by an answer that was on offer, with exactly the pattern shown',
  grantUsed: 'a grant permits only what it covers, until it expires, and nothing in confirm_always',
  grantUses: 'a limited grant permits no more calls than it has uses',
  grantGone: 'a revoked grant starts nothing, and its end cancels nothing that others permitted',
  // The shell's side
  reports: 'a report about work that nobody does any more changes nothing; a true one is taken',
  effects: 'a call wants one piece of work at a time',
  reconcile: 'looking at touched calls only finds the same work as looking at all',
  refold: 'folding the facts from the beginning gives the same state',
  stuck: 'while a turn is open there is work under way or a question waiting',
  ends: 'when all work ends and all questions are answered, every turn ends',
  finite: 'the world has no more states than it should',
  sound: 'the kernel does not contradict itself',
} as const;
export type Property = keyof typeof PROPERTIES;

export type Finding = { readonly property: Property; readonly detail: string };

/** Collects what was checked, how often, and what did not hold. */
export class Findings {
  readonly checked = new Map<Property, number>();
  #broken: Finding[] = [];

  hold(property: Property, holds: boolean, detail: () => string): void {
    this.checked.set(property, (this.checked.get(property) ?? 0) + 1);
    if (!holds) this.#broken.push({ property, detail: detail() });
  }

  /** What was found since the last time. */
  take(): readonly Finding[] {
    if (this.#broken.length === 0) return NONE;
    const taken = this.#broken;
    this.#broken = [];
    return taken;
  }
}
const NONE: readonly Finding[] = [];
