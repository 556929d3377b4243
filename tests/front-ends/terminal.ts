import type { Outcome } from '@countersign/protocol';
import { onTestFinished } from 'vitest';
import type { Place } from '../cli/program.js';
import { call, choose, KEYS, recorded, say, Tui, text } from '../tui/tui.js';
import { type FrontEnd, type Questions, type Shown, type StartFrontEnd, until } from './front-end.js';

/** High enough for a question with all its choices, wide enough for the paths in it. */
const SIZE = { columns: 160, rows: 40 };
const LOOK_EVERY_MS = 20;

/** `countersign` in a terminal, read from its screen and answered by keys: a recorded model wants the calls. */
export const startTerminal: StartFrontEnd = async ({ place, batches, policy }) => {
  const answers = batches.map((batch) => batch.map(({ name, args }) => call(name, args)));
  const args = ['--fake-responses', recorded(place, ...answers, [text('Done.')])];
  const tui = new Tui(place, [...args, ...(policy ? ['--policy', policy] : [])], SIZE);
  const person = new AtTerminal(tui, batches.flat().length);
  onTestFinished(() => person.leave());
  await tui.shows('(shift-tab)');
  await say(tui, 'go');
  return person;
};

/** The same beside another process: its questions are looked up by a command. */
export async function startTerminalBeside(place: Place): Promise<Questions> {
  const tui = new Tui(place, ['--fake-responses', recorded(place)], SIZE);
  const person = new AtTerminal(tui, 0);
  onTestFinished(() => person.leave());
  await tui.shows('(shift-tab)');
  await say(tui, '/approvals');
  return person;
}

/** The question on the screen: there is one at a time. */
type OnScreen = Shown & { readonly number: number; readonly count: number };

class AtTerminal implements FrontEnd {
  readonly #tui: Tui;
  readonly #callCount: number;
  readonly #shown = new Map<string, Shown>();
  readonly #watching: NodeJS.Timeout;

  constructor(tui: Tui, callCount: number) {
    this.#tui = tui;
    this.#callCount = callCount;
    this.#watching = setInterval(() => this.#look(), LOOK_EVERY_MS);
  }

  leave(): Promise<void> {
    clearInterval(this.#watching);
    return this.#tui.close();
  }

  shown(): readonly Shown[] {
    return [...this.#shown.values()];
  }

  /** Goes through all of them once. */
  async waiting(): Promise<readonly string[]> {
    const titles: string[] = [];
    for (let looked = await this.#still(); looked !== null; looked = await this.#next(looked)) {
      titles.push(looked.title);
      if (titles.length >= looked.count) break;
    }
    return titles;
  }

  async answer(title: string, outcome: Outcome): Promise<void> {
    const asked = await until(async () => {
      const looked = await this.#still();
      if (looked === null || looked.title.includes(title)) return looked;
      await this.#next(looked);
      return null;
    }, `a question about ${title}`);
    for (const label of LABELS[outcome] ?? [outcome]) await choose(this.#tui, label);
    await this.#tui.until('the next question or none', () => this.#onScreen()?.title !== asked.title);
  }

  async cancel(): Promise<void> {
    this.#tui.press(KEYS.ctrlC);
  }

  async ended(): Promise<readonly ('done' | 'not done')[]> {
    const marks = () => [...this.#tui.everything().matchAll(ENDED)].map(([, mark]) => mark);
    await this.#tui.until('the end of all calls', () => marks().length >= this.#callCount);
    return marks().map((mark) => (mark === '✓' ? 'done' : 'not done'));
  }

  async #next({ number, count }: OnScreen): Promise<OnScreen | null> {
    if (count < 2) return this.#still();
    await this.#tui.answer(KEYS.tab);
    await this.#tui.until('the next question', () => this.#onScreen()?.number !== number);
    return this.#look();
  }

  async #still(): Promise<OnScreen | null> {
    await this.#tui.until('a screen at rest', () => true);
    return this.#look();
  }

  /** A screen that is being drawn shows no question yet. */
  #look(): OnScreen | null {
    if (!this.#tui.isStill) return null;
    const looked = this.#onScreen();
    if (looked !== null) this.#shown.set(looked.title, looked);
    return looked;
  }

  /** All that stands between the heading and the reason: a command has no title of its own, and a change shows in the content. */
  #onScreen(): OnScreen | null {
    const [, number = '1', count = '1', title] = QUESTION.exec(this.#tui.screen()) ?? [];
    if (title === undefined) return null;
    return { title, digest: null, number: Number(number), count: Number(count) };
  }
}

const QUESTION =
  /^── \S+: your answer is needed(?: · (\d+) of (\d+))?(?: · in the session \S+)? ─+\n(.*?)^ {2}Why you are asked: /ms;
/** The card of a call that is over. */
const ENDED = /^ ([✓✗–]) (?:write_file|run_shell_command) /gm;

/** The choices that lead to an answer, one after the other. */
const LABELS: { readonly [outcome in Outcome]?: readonly string[] } = {
  proceed_once: ['Yes, allow once'],
  proceed_always: ['Yes, allow always …', 'Yes, in this session'],
  cancel: ['No (esc)'],
};
