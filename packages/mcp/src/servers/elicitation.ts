import { isJsonList, isJsonObject } from '@countersign/host';
import type { AskedQuestion, Json, JsonObject } from '@countersign/protocol';
import type { ElicitResult } from '@modelcontextprotocol/client';
import { inOneLine } from '../text/in-words.js';
import { textIn } from '../text/text-in.js';

export type Asking = {
  readonly server: string;
  readonly message: string;
  readonly schema: JsonObject;
  readonly ask: (questions: readonly AskedQuestion[]) => Promise<Json>;
};

const ROUNDS_MAX = 3; // a user who has not given a valid answer by then does not want to
const QUESTIONS_MAX = 4; // as many as `ask_user` asks at once
const FIELDS_MAX = 20; // no user fills in more for one call
const OPTIONS_MAX = 4;

/** What a server wants to know from the person, asked and answered as the questions of `ask_user` are. */
export async function askForServer(asking: Asking): Promise<ElicitResult> {
  const { schema } = asking;
  const properties = isJsonObject(schema['properties']) ? schema['properties'] : {};
  const required = isJsonList(schema['required']) ? schema['required'] : [];
  const entries = Object.entries(properties);
  if (entries.length > FIELDS_MAX) return { action: 'decline' };
  const fields = entries.map(([name, property]) =>
    fieldOf(name, isJsonObject(property) ? property : {}, required.includes(name)),
  );
  // A form without fields is a question all the same.
  if (fields.length === 0) fields.push(CONSENT);
  const content: Content = new Map();
  for (let at = 0; at < fields.length; at += QUESTIONS_MAX) {
    const read = await askSome(fields.slice(at, at + QUESTIONS_MAX), asking);
    if (typeof read === 'string') return { action: read };
    for (const [name, value] of read) content.set(name, value);
  }
  if (fields[0] !== CONSENT) return { action: 'accept', content: Object.fromEntries(content) };
  return content.get(CONSENT.name) === true ? { action: 'accept', content: {} } : { action: 'decline' };
}

/** A field may be called what every object has. */
type Content = Map<string, Value>;
type Value = string | number | boolean | string[];

async function askSome(
  fields: readonly Field[],
  { server, message, ask }: Asking,
): Promise<Content | 'decline' | 'cancel'> {
  const intro = `The MCP server "${server}" asks: ${inOneLine(message)}`;
  let problem = '';
  for (let round = 0; round < ROUNDS_MAX; round += 1) {
    const questions = fields.map((field) => questionOf(field, `${intro}${problem}`));
    const given = await ask(questions);
    if (given === null) return 'decline';
    const read = readForm(fields, questions, given);
    if (typeof read !== 'string') return read;
    problem = ` (${read})`;
  }
  return 'cancel';
}

type Field = {
  readonly name: string;
  readonly about: string;
  readonly kind: 'text' | 'number' | 'integer' | 'boolean' | 'one of' | 'some of';
  /** What may be chosen: the words for it, and the value that is sent. */
  readonly choices: readonly { readonly label: string; readonly value: string }[];
  readonly isRequired: boolean;
};

const CONSENT: Field = { name: 'Continue?', about: '', kind: 'boolean', choices: [], isRequired: true };

function fieldOf(name: string, property: JsonObject, isRequired: boolean): Field {
  const said = [textIn(property, 'title'), textIn(property, 'description')];
  const about = inOneLine(said.filter(Boolean).join(': '));
  const items = isJsonObject(property['items']) ? property['items'] : null;
  const choices = choicesOf(items ?? property);
  const kind =
    items && choices.length > 0 ? 'some of' : choices.length > 1 ? 'one of' : kindOf(property['type']);
  return { name, about, kind, choices, isRequired };
}

function kindOf(type: Json | undefined): Field['kind'] {
  return type === 'boolean' || type === 'number' || type === 'integer' ? type : 'text';
}

/** `enum`, with `enumNames` or without, and titled as `oneOf` or `anyOf`. */
function choicesOf(property: JsonObject): Field['choices'] {
  const { enum: values, enumNames: labels, oneOf, anyOf } = property;
  const titled = isJsonList(oneOf) ? oneOf : isJsonList(anyOf) ? anyOf : [];
  if (isJsonList(values))
    return values.map((value, at) => ({
      value: wordsIn(value),
      label: inOneLine(wordsIn((isJsonList(labels) ? labels[at] : null) ?? value)),
    }));
  return titled.flatMap((each) =>
    isJsonObject(each) && typeof each['const'] === 'string'
      ? { value: each['const'], label: inOneLine(textIn(each, 'title') || each['const']) }
      : [],
  );
}

function questionOf({ name, about, kind, choices, isRequired }: Field, intro: string): AskedQuestion {
  const optional = isRequired ? '' : ' (optional)';
  const isOffered = choices.length >= 2 && choices.length <= OPTIONS_MAX && areDistinct(choices);
  const among = isOffered || choices.length === 0 ? '' : ` (${choices.map(({ label }) => label).join(', ')})`;
  const question = `${intro}\n${inOneLine(name)}${about === '' ? '' : `: ${about}`}${among}${optional}`;
  const header = inOneLine(name) || '?';
  if (kind === 'boolean') return { question, header, type: 'yesno' };
  if (isOffered)
    return {
      question,
      header,
      type: 'choice',
      options: choices.map(({ label, value }) => ({ label, description: label === value ? '' : value })),
      ...(kind === 'some of' && { multiSelect: true }),
    };
  const placeholder = kind === 'number' || kind === 'integer' ? { placeholder: `a ${kind}` } : {};
  return { question, header, type: 'text', ...placeholder };
}

const areDistinct = (choices: Field['choices']): boolean =>
  new Set(choices.map(({ label }) => label.toLowerCase())).size === choices.length;

/** What the server gets, or what is wrong with an answer. */
function readForm(
  fields: readonly Field[],
  questions: readonly AskedQuestion[],
  given: Json,
): Content | string {
  const content: Content = new Map();
  for (const [at, field] of fields.entries()) {
    const answer = answerTo(at, field, questions, given);
    if (answer === null || answer === '' || (isJsonList(answer) && answer.length === 0)) {
      if (field.isRequired) return `"${field.name}" must be answered`;
      continue;
    }
    const value = valueOf(field, answer);
    if (value === null) return `"${field.name}" does not accept ${inOneLine(JSON.stringify(answer))}`;
    content.set(field.name, value);
  }
  return content;
}

/** Front ends answer by place, by number, or by the words of the question. */
function answerTo(at: number, { name }: Field, questions: readonly AskedQuestion[], given: Json): Json {
  if (isJsonList(given)) return given[at] ?? null;
  if (!isJsonObject(given)) return at === 0 ? given : null;
  const { header = '', question = '' } = questions[at] ?? {};
  const key = [name, header, String(at), question].find((each) => Object.hasOwn(given, each));
  return key === undefined ? null : (given[key] ?? null);
}

function valueOf({ kind, choices }: Field, answer: Json): Value | null {
  const said = wordsIn(answer);
  switch (kind) {
    case 'text':
      return typeof answer === 'string' ? answer : null;
    case 'number':
    case 'integer': {
      const number = Number(said);
      return Number.isFinite(number) && (kind === 'number' || Number.isInteger(number)) ? number : null;
    }
    case 'boolean':
      return YES.test(said) ? true : NO.test(said) ? false : null;
    case 'one of':
      return chosen(choices, said);
    case 'some of': {
      const all: readonly Json[] = isJsonList(answer) ? answer : said.split(',');
      const values = all.map((each) => chosen(choices, wordsIn(each)));
      return values.every((value) => value !== null) ? values : null;
    }
  }
}

const YES = /^(?:y|yes|true)$/i;
const NO = /^(?:n|no|false)$/i;

/** Front ends may give numbers, and yes or no, as such. */
const wordsIn = (answer: Json): string =>
  (typeof answer === 'string' ? answer : JSON.stringify(answer)).trim();

const chosen = (choices: Field['choices'], said: string): string | null =>
  choices.find(({ label, value }) => said === value || said.toLowerCase() === label.toLowerCase())?.value ??
  null;
