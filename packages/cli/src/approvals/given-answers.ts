import { visibleLine } from '@countersign/display';
import { nearest } from '@countersign/engine';
import { shellWord } from '@countersign/kernel';
import { type AskedQuestion, explain, type Json, ToolFailure } from '@countersign/protocol';
import { type AnsweredQuestion, NO_ANSWER, readAnswers } from '@countersign/tools';
import { usage } from '../io/failure-text.js';
import { readJson } from './read-json.js';

/** `--answer TEXT …` or `--answers JSON`; at most one of the two is given. */
export type AnswersGiven = {
  readonly answer?: readonly string[] | undefined;
  readonly answers?: string | undefined;
  /** Answers may be other ones than a question offers. */
  readonly 'own-words'?: boolean | undefined;
};

/** The answers to all questions of a form. An answer that does not fit would cost the call, so it is refused here. */
export function answersTo(questions: readonly AskedQuestion[], given: AnswersGiven): Json {
  const { answer = [], answers } = given;
  if (answer.length > 0 && answers !== undefined)
    throw usage('--answer and --answers exclude each other', 'give all answers in one of the two');
  const read = answers === undefined ? inOrder(questions, answer) : textsIn(readJson('--answers', answers));
  const understood = asUnderstood(questions, read);
  if (given['own-words'] !== true) expectOffered(questions, understood);
  const missing = understood.filter((each) => each.answer === NO_ANSWER).map(({ header }) => header);
  const isSilent = missing.length === questions.length;
  if (isSilent || (answers === undefined && answer.length < questions.length))
    throw usage(
      `The question needs an answer to: ${missing.map(visibleLine).join(', ')}`,
      `${formOf(questions)}; an empty text skips one of several; cancel declines`,
    );
  return read;
}

function asUnderstood(questions: readonly AskedQuestion[], answers: Json): readonly AnsweredQuestion[] {
  try {
    return readAnswers(questions, answers);
  } catch (thrown) {
    if (thrown instanceof ToolFailure) throw usage(problemOf(thrown), formOf(questions));
    throw thrown;
  }
}

/** A mistyped choice must not reach the model as if the user had meant something else. */
function expectOffered(questions: readonly AskedQuestion[], answers: readonly AnsweredQuestion[]): void {
  const at = answers.findIndex(({ isOwnWords }) => isOwnWords);
  const question = questions[at];
  if (!question) return;
  const { header, type, options = [] } = question;
  const offered = type === 'yesno' ? ['yes', 'no'] : options.map(({ label }) => visibleLine(label));
  throw usage(
    `"${visibleLine(header)}" offers ${offered.join(', ')}, and the answer is none of them`,
    `--answer ${shellWord(`${visibleLine(header)}=${offered[0] ?? ''}`)}; --own-words sends another answer as it is`,
  );
}

/** Each text answers the next question, or the one that it names: `HEADER=TEXT`. */
function inOrder(questions: readonly AskedQuestion[], texts: readonly string[]): Json {
  const named = new Map<number, string>();
  const unnamed: string[] = [];
  for (const text of texts) {
    const at = namedIn(questions, text);
    const { header = '' } = questions[at] ?? {};
    if (named.has(at))
      throw usage(
        `"${visibleLine(header)}" is answered twice: ${visibleLine(named.get(at) ?? '')}, and ${visibleLine(text.slice(header.length + 1))}`,
        formOf(questions),
      );
    if (at >= 0) named.set(at, text.slice(header.length + 1));
    else unnamed.push(text);
  }
  for (const text of unnamed) expectNotMistyped(questions, text);
  if (named.size + unnamed.length > questions.length)
    throw usage(
      `There are ${texts.length} answers, and ${questions.length === 1 ? 'one question' : `${questions.length} questions`}`,
      formOf(questions),
    );
  return questions.map((_, at) => named.get(at) ?? unnamed.shift() ?? null);
}

/** The question that a text names; -1 if none. Of headers that begin alike, the longest. */
function namedIn(questions: readonly AskedQuestion[], text: string): number {
  let found = -1;
  for (const [at, { header }] of questions.entries()) {
    const known = questions[found]?.header ?? '';
    if (text.startsWith(`${header}=`) && (found < 0 || header.length > known.length)) found = at;
  }
  return found;
}

/** Shorter words are near to everything. */
const MISTYPED_CHARS_MIN = 3;

/** `Colr=red` is more likely a mistyped header than an answer; one that is meant so can name its question. */
function expectNotMistyped(questions: readonly AskedQuestion[], text: string): void {
  const name = text.split('=', 1)[0]?.trim() ?? '';
  const isName = name !== '' && name.length < text.length;
  const headers = questions.map(({ header }) => header);
  const [meant] = isName ? nearest(name, headers) : [];
  if (meant === undefined) return;
  if (name.length < MISTYPED_CHARS_MIN && name.toLowerCase() !== meant.toLowerCase()) return;
  throw usage(
    `No question is called "${visibleLine(name)}"`,
    `--answer ${shellWord(visibleLine(`${meant}=${text.slice(text.indexOf('=') + 1)}`))}; if the whole text is the answer, --answer ${shellWord(visibleLine(`HEADER=${text}`))}`,
  );
}

/** Forms take words; a number in JSON is its digits. */
function textsIn(given: Json): Json {
  const inWords = (value: Json): Json => (typeof value === 'number' ? String(value) : value);
  if (typeof given === 'number') return String(given);
  if (typeof given !== 'object' || given === null) return given;
  if (Array.isArray(given)) return given.map(inWords);
  return Object.fromEntries(Object.entries(given).map(([name, value]) => [name, inWords(value)]));
}

const formOf = (questions: readonly AskedQuestion[]): string =>
  `proceed_once ${questions.map(({ header }) => `--answer ${shellWord(`${visibleLine(header)}=…`)}`).join(' ')}`;

const problemOf = ({ failure }: ToolFailure): string =>
  explain(failure).message.replace(/\. Ask again\.$/, '');
