import type { AskedQuestion, Json } from '@countersign/protocol';
import { describe, expect, test } from 'vitest';
import { CommandFailure } from '../io/failure-text.js';
import { answersTo } from './given-answers.js';

const COLOR: AskedQuestion = {
  question: 'Which colour?',
  header: 'Color',
  type: 'choice',
  options: ['red', 'blue'].map((label) => ({ label, description: '' })),
};
const NAME: AskedQuestion = { question: 'Your name?', header: 'Name', type: 'text' };
const SURE: AskedQuestion = { question: 'Sure?', header: 'Sure', type: 'yesno' };

function given(questions: readonly AskedQuestion[], ...answer: readonly string[]): Json {
  const texts = answer.filter((word) => word !== '--own-words');
  return answersTo(questions, { answer: texts, 'own-words': texts.length < answer.length });
}

function problemOf(work: () => unknown): string {
  try {
    return JSON.stringify(work());
  } catch (thrown) {
    return thrown instanceof CommandFailure ? JSON.stringify(thrown.failure) : String(thrown);
  }
}

describe('answers to a form', () => {
  test.each([
    [[COLOR, NAME], ['Colr=red', 'x'], 'No question is called', '--answer Color=red'],
    [[COLOR, NAME], ['color=red', 'x'], 'No question is called', '--answer Color=red'],
    [[COLOR, NAME], ['Color=red', 'Nmae=bob'], 'No question is called', '--answer Name=bob'],
    [[COLOR, NAME], ['Color=red', 'Color=blue'], 'is answered twice', 'Name='],
    [[COLOR, NAME], ['Name=a', 'Name=b', 'Color=red'], 'is answered twice', 'Name='],
    [[COLOR], ['green'], 'offers red, blue', '--own-words'],
    [[COLOR], ['Shade=red'], 'offers red, blue', '--own-words'],
    [[SURE], ['maybe'], 'offers yes, no', '--own-words'],
    [[SURE], ['yess'], 'offers yes, no', '--own-words'],
  ] as const)(
    '%j with %j is refused, and says what to send [A1] [C4]',
    (questions, answers, problem, fix) => {
      const said = problemOf(() => given(questions, ...answers));
      expect(said).toContain(problem);
      expect(said).toContain(fix);
    },
  );

  test.each([
    [
      [COLOR, NAME],
      ['Color=red', 'a=b=c'],
      ['red', 'a=b=c'],
    ],
    [
      [COLOR, NAME],
      ['Color=red', 'Name=Colr=red'],
      ['red', 'Colr=red'],
    ],
    [
      [COLOR, NAME],
      ['RED', 'Color me surprised'],
      ['RED', 'Color me surprised'],
    ],
    [[COLOR], ['green', '--own-words'], ['green']],
    [[SURE], ['y'], ['y']],
    [[SURE], ['FALSE'], ['FALSE']],
    [[SURE], ['on Mondays', '--own-words'], ['on Mondays']],
  ] as const)('%j with %j is taken as %j [A1] [C4]', (questions, answers, taken) => {
    expect(given(questions, ...answers)).toEqual(taken);
  });

  test('answers in JSON are held to what is offered, too [A1] [C4]', () => {
    const questions = [COLOR, SURE];
    expect(problemOf(() => answersTo(questions, { answers: '{"Color":"green","Sure":true}' }))).toContain(
      'offers red, blue',
    );
    expect(answersTo(questions, { answers: '{"Color":"blue","Sure":true}' })).toEqual({
      Color: 'blue',
      Sure: true,
    });
  });
});
