import { isJsonList, isJsonObject } from '@countersign/host';
import { type AskedQuestion, type Json, ToolFailure } from '@countersign/protocol';

export type AnsweredQuestion = Pick<AskedQuestion, 'question' | 'header'> & {
  readonly answer: string;
  /** Whether it is none of the answers that the question offers; never so where a text is asked for. */
  readonly isOwnWords: boolean;
};

/**
 * The user's answer to each question: a list in their order, or an object by number (from 0), header or question.
 * One that was omitted was not answered.
 */
export function readAnswers(questions: readonly AskedQuestion[], given: Json): readonly AnsweredQuestion[] {
  const bySomeName = namedAnswers(questions, given);
  return questions.map((question, at) => {
    const answer = bySomeName.get(at) ?? null;
    return {
      question: question.question,
      header: question.header,
      answer: inWords(question, answer),
      isOwnWords: isOwnWords(question, answer),
    };
  });
}

function isOwnWords(question: AskedQuestion, answer: Json): boolean {
  const { type, options = [] } = question;
  if (type === 'text' || (typeof answer === 'string' && severalLabels(question, answer) !== null))
    return false;
  const texts = (isJsonList(answer) ? answer : [answer]).flatMap((each) =>
    typeof each === 'string' && each.trim() !== '' ? [each.trim()] : [],
  );
  return texts.some((text) => (type === 'yesno' ? yesOrNo(text) : labelIn(options, text)) === undefined);
}

function namedAnswers(questions: readonly AskedQuestion[], given: Json): Map<number, Json> {
  if (given === null) return new Map();
  // A single question needs no name for its answer.
  if (typeof given === 'string' || typeof given === 'boolean') return byPlace(questions, [given]);
  if (isJsonList(given)) return byPlace(questions, given);
  if (!isJsonObject(given)) throw misfit(`they are ${JSON.stringify(given)}`);
  const named = new Map<number, Json>();
  for (const [name, answer] of Object.entries(given)) {
    const at = questions.findIndex(
      ({ question, header }, place) => name === String(place) || name === header || name === question,
    );
    if (at === -1) throw misfit(`there is no question "${name}"`);
    named.set(at, answer);
  }
  return named;
}

function byPlace(questions: readonly AskedQuestion[], given: readonly Json[]): Map<number, Json> {
  if (given.length > questions.length)
    throw misfit(`there are ${given.length}, and ${questions.length} questions`);
  return new Map(given.entries());
}

function inWords(question: AskedQuestion, answer: Json): string {
  if (answer === null) return NO_ANSWER;
  if (typeof answer === 'string')
    return severalLabels(question, answer) ?? (chosen(question, answer) || NO_ANSWER);
  if (typeof answer === 'boolean' && question.type === 'yesno') return answer ? 'Yes' : 'No';
  if (isJsonList(answer) && answer.every((each) => typeof each === 'string')) {
    if (answer.length > 1 && question.multiSelect !== true)
      throw misfit(`"${question.header}" accepts one answer, not ${answer.length}`);
    return answer.map((each) => chosen(question, each)).join(', ') || NO_ANSWER;
  }
  throw misfit(`"${question.header}" is answered by ${JSON.stringify(answer)}`);
}

export const NO_ANSWER = '(not answered)';

/** In the words of the option, if it is one; any other words are an answer too, and marked as the user's own. */
function chosen({ type, options = [] }: AskedQuestion, said: string): string {
  const text = said.trim();
  switch (type) {
    case 'text':
      return text;
    case 'yesno':
      return yesOrNo(text) ?? text;
    case 'choice':
      return labelIn(options, text) ?? (text === '' ? '' : `${text} (in the user's own words)`);
  }
}

/** `A, B`, as front ends that know only text give several; null if it is not made of labels alone. */
function severalLabels({ multiSelect, options = [] }: AskedQuestion, said: string): string | null {
  if (multiSelect !== true) return null;
  const labels = said.split(',').map((part) => labelIn(options, part.trim()));
  return labels.includes(undefined) ? null : labels.join(', ');
}

function yesOrNo(text: string): 'Yes' | 'No' | undefined {
  if (/^(?:yes|y|true)$/i.test(text)) return 'Yes';
  return /^(?:no|n|false)$/i.test(text) ? 'No' : undefined;
}

const labelIn = (options: NonNullable<AskedQuestion['options']>, text: string): string | undefined =>
  options.find(({ label }) => label.toLowerCase() === text.toLowerCase())?.label;

const misfit = (problem: string): ToolFailure =>
  new ToolFailure({
    code: 'execution_failed',
    message: `The answers do not match the questions: ${problem}. Ask again.`,
  });
