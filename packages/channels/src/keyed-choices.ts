import { type Choice, choicesOf, readLimits, visibleLine } from '@countersign/display';
import type { AnswerPayload, GrantScope, Outcome, Question } from '@countersign/protocol';

/** A choice with the key that selects it. */
export type KeyedChoice = {
  readonly key: string;
  readonly label: string;
  readonly does: Choice | 'show the whole';
};

export const SHOW_THE_WHOLE: KeyedChoice = {
  key: 'w',
  label: 'Show everything',
  does: 'show the whole',
};

/** Without "stop", since Ctrl-C does that here. */
export const keyedChoices = (question: Question): readonly KeyedChoice[] =>
  choicesOf(question).flatMap((does, index) =>
    does.type === 'stop' ? [] : { key: keyOf(does, index), label: labelOf(does), does },
  );

function keyOf(choice: Choice, index: number): string {
  if (choice.type === 'reply') return String(index + 1);
  return choice.type === 'agree' && choice.mode !== 'manual' ? 'a' : KEYS[choice.outcome];
}

const KEYS: { readonly [outcome in Outcome]: string } = {
  proceed_once: 'y',
  proceed_always: 'a',
  proceed_always_tool: 't',
  proceed_always_server: 'v',
  proceed_always_and_save: 's',
  modify_with_editor: 'e',
  cancel: 'n',
};

function labelOf(choice: Exclude<Choice, { type: 'stop' }>): string {
  switch (choice.type) {
    case 'allow once':
      return 'Yes, allow once';
    case 'fill in a form':
      return 'Answer, one line for each question';
    case 'reply':
      return visibleLine(choice.label);
    case 'agree':
      return choice.mode === 'manual' ? 'Yes, and ask about each change' : 'Yes, and let edits through';
    case 'allow always':
      return `Yes, and always: ${visibleLine(choice.ways[0]?.text ?? '')}`;
    case 'edit':
      return 'Modify with external editor';
    case 'decline':
      return 'No (n, or: n why not)';
  }
}

type Always = Extract<Choice, { type: 'allow always' }>;

/** How the words after the letter of an "always" change it; null if nothing can be changed. */
export function alwaysHelp(choices: readonly KeyedChoice[]): string | null {
  const always = choices.flatMap(({ key, does }) =>
    does !== 'show the whole' && does.type === 'allow always' && does.ways.length > 0
      ? [{ key, ways: does.ways }]
      : [],
  );
  const [first] = always;
  if (!first) return null;
  const { key } = first;
  const offered = [...new Set(always.flatMap(({ ways }) => ways.slice(1).map(({ scope }) => scope)))];
  const scopes = offered.map((scope) => `${scope}: ${SCOPES[scope]}`).join(', ');
  const takes = offered.length === 0 ? 'a time' : `a scope (${scopes}), a time`;
  const example = [key, ...offered.slice(-1), '1d 5 uses'].join(' ');
  return `An "always" takes ${takes} and a number of uses, as in: ${example}`;
}

const SCOPES: { readonly [scope in GrantScope]: string } = {
  session: 'this session',
  project: 'this workspace',
  user: 'every workspace',
};

export type ReadAlways =
  | { readonly ok: true; readonly outcome: Outcome; readonly payload?: AnswerPayload }
  | { readonly ok: false; readonly problem: string };

/** Reads the words after the letter of an "always": a scope, a time and a number of uses, each optional. */
export function readAlways({ outcome, payload, ways }: Always, words: string, now: number): ReadAlways {
  const [first = ''] = words.split(/\s/, 1);
  const scope = Object.keys(SCOPES).find((name) => name === first.toLowerCase());
  const way = ways.find((each) => each.scope === scope);
  if (scope !== undefined && !way) {
    const offered = ways.map((each) => each.scope).join(', ');
    return { ok: false, problem: `"${scope}" is not offered here. Offered: ${offered}` };
  }
  const limits = readLimits(way ? words.slice(first.length) : words, now);
  if (!limits.ok) return limits;
  const chosen = way ?? { outcome, payload };
  const all = { ...chosen.payload, ...limits.payload };
  return { ok: true, outcome: chosen.outcome, ...(Object.keys(all).length > 0 && { payload: all }) };
}
