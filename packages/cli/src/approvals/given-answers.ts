import { visibleLine } from '@countersign/display';
import { shellWord } from '@countersign/kernel';
import { type AskedQuestion, explain, type Json, ToolFailure } from '@countersign/protocol';
import { NO_ANSWER, readAnswers } from '@countersign/tools';
import { usage } from '../io/failure-text.js';
import { readJson } from './read-json.js';

/** `--answer TEXT …` or `--answers JSON`; at most one of the two is given. */
export type AnswersGiven = {
  readonly answer?: readonly string[] | undefined;
  readonly answers?: string | undefined;
};

/** The answers to all questions of a form. An answer that does not fit would cost the call, so it is refused here. */
export function answersTo(questions: readonly AskedQuestion[], given: AnswersGiven): Json {
  const { answer = [], answers } = given;
  if (answer.length > 0 && answers !== undefined)
    throw usage('--answer and --answers exclude each other', 'give all answers in one of the two');
  const read = answers === undefined ? inOrder(questions, answer) : textsIn(readJson('--answers', answers));
  const missing = withoutAnswer(questions, read);
  const isSilent = missing.length === questions.length;
  if (isSilent || (answers === undefined && answer.length < questions.length))
    throw usage(
      `The question needs an answer to: ${missing.map(visibleLine).join(', ')}`,
      `${formOf(questions)}; an empty text skips one of several; cancel declines`,
    );
  return read;
}

/** The headers of the questions that these answers leave open. */
function withoutAnswer(questions: readonly AskedQuestion[], answers: Json): readonly string[] {
  try {
    const open = readAnswers(questions, answers).filter(({ answer }) => answer === NO_ANSWER);
    return open.map(({ header }) => header);
  } catch (thrown) {
    if (thrown instanceof ToolFailure) throw usage(problemOf(thrown), formOf(questions));
    throw thrown;
  }
}

/** Each text answers the next question, or the one that it names: `HEADER=TEXT`. */
function inOrder(questions: readonly AskedQuestion[], texts: readonly string[]): Json {
  const named = new Map<number, string>();
  const unnamed: string[] = [];
  for (const text of texts) {
    const at = questions.findIndex(({ header }) => text.startsWith(`${header}=`));
    const { header = '' } = questions[at] ?? {};
    if (at >= 0 && !named.has(at)) named.set(at, text.slice(header.length + 1));
    else unnamed.push(text);
  }
  if (named.size + unnamed.length > questions.length)
    throw usage(
      `There are ${texts.length} answers, and ${questions.length === 1 ? 'one question' : `${questions.length} questions`}`,
      formOf(questions),
    );
  return questions.map((_, at) => named.get(at) ?? unnamed.shift() ?? null);
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
