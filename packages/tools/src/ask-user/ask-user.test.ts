import { failureOf } from '@countersign/host/testing';
import type { Json, JsonObject } from '@countersign/protocol';
import { describe, expect, test } from 'vitest';
import { planContext, planOf, runContext } from '../testing/carry-out.js';
import { askUser } from './ask-user.js';

const options = { workspace: '/ws' };
const DATABASE = {
  question: 'Which database?',
  header: 'Database',
  type: 'choice',
  options: [
    { label: 'PostgreSQL', description: 'A server' },
    { label: 'SQLite', description: 'A file' },
  ],
};
const NAME = { question: 'What is it called?', header: 'Name', type: 'text', placeholder: 'ada' };
const SURE = { question: 'Are you sure?', header: 'Sure', type: 'yesno' };

/** As the engine does once a person has answered. */
async function answered(questions: readonly JsonObject[], answers: Json) {
  const args = { questions };
  const draft = await askUser.plan(args, planContext(options));
  return askUser.run(args, { ...runContext(planOf(askUser, draft, '/ws'), options), answers });
}
const answerTo = async (question: JsonObject, answer: Json) => {
  const { llmContent } = await answered([question], [answer]);
  return String(llmContent).split('\nAnswer: ')[1];
};

test('the questions are what a person is shown, and nothing is touched [A1]', async () => {
  const yes = { ...SURE, options: [{ label: 'ignored', description: '' }], multiSelect: true };
  const draft = await askUser.plan({ questions: [DATABASE, NAME, yes] }, planContext(options));
  expect(draft).toEqual({
    title: 'Ask: Database, Name, Sure',
    resources: [],
    repeat: 'safe',
    byDefault: 'ask_user',
    confirmation: {
      type: 'ask_user',
      title: 'Ask: Database, Name, Sure',
      questions: [DATABASE, NAME, SURE],
    },
  });
});

test('answers reach the model with their questions, in their order [A1]', async () => {
  const { llmContent, returnDisplay } = await answered([DATABASE, NAME, SURE], ['sqlite', ' my app ', true]);
  expect(llmContent).toBe(
    'Question: Which database?\nAnswer: SQLite\n\nQuestion: What is it called?\nAnswer: my app\n\nQuestion: Are you sure?\nAnswer: Yes',
  );
  expect(returnDisplay).toBe('Database: SQLite\nName: my app\nSure: Yes');
});

describe('an answer', () => {
  test.each<[string, JsonObject, Json, string]>([
    ['is the label of an option', DATABASE, 'PostgreSQL', 'PostgreSQL'],
    ['may be given in other words', DATABASE, 'MySQL', "MySQL (in the user's own words)"],
    ['may be a list of one', DATABASE, ['SQLite'], 'SQLite'],
    [
      'may be several, if they were allowed',
      { ...DATABASE, multiSelect: true },
      ['SQLite', 'x'],
      "SQLite, x (in the user's own words)",
    ],
    [
      'may be several in one text',
      { ...DATABASE, multiSelect: true },
      'sqlite, PostgreSQL',
      'SQLite, PostgreSQL',
    ],
    ['to yes or no', SURE, 'no', 'No'],
    ['to yes or no, as a word', SURE, false, 'No'],
    ['to yes or no, as a letter', SURE, 'Y', 'Yes'],
    ['to yes or no, as a value', SURE, 'false', 'No'],
    ['to yes or no, in other words', SURE, 'only on Mondays', 'only on Mondays'],
    ['may be none', NAME, null, '(not answered)'],
    ['may be empty', DATABASE, ' ', '(not answered)'],
    ['may be none of several', { ...DATABASE, multiSelect: true }, [], '(not answered)'],
  ])('%s', async (_, question, answer, expected) => {
    expect(await answerTo(question, answer)).toBe(expected);
  });

  test('is found by number, by header and by question; a text alone answers the only question', async () => {
    for (const answers of [
      { '0': 'SQLite', Name: 'x' },
      { 'Which database?': 'SQLite', '1': 'x' },
    ])
      expect((await answered([DATABASE, NAME], answers)).returnDisplay).toBe('Database: SQLite\nName: x');
    expect((await answered([NAME], 'x')).returnDisplay).toBe('Name: x');
    expect((await answered([NAME, SURE], null)).returnDisplay).toBe(
      'Name: (not answered)\nSure: (not answered)',
    );
  });

  test.each<[string, Json, RegExp]>([
    ['too many', ['a', 'b', 'c'], /there are 3, and 2 questions/],
    ['to another question', { Colour: 'red' }, /there is no question "Colour"/],
    ['several where one was asked for', [['a', 'b']], /"Database" accepts one answer, not 2/],
    ['no words', [7], /"Database" is answered by 7/],
    ['a boolean to a choice', [true], /"Database" is answered by true/],
    ['a number for all', 7, /they are 7/],
  ])('that does not fit is told: %s', async (_, answers, message) => {
    const failure = await failureOf(answered([DATABASE, NAME], answers));
    expect(failure).toMatchObject({ code: 'execution_failed', message: expect.stringMatching(message) });
  });
});

describe('questions that cannot be asked', () => {
  const [first = {}] = DATABASE.options;
  test.each<[string, JsonObject[], RegExp]>([
    ['none', [], /"questions" must be a list of objects with at least 1 and at most 4 items/],
    ['five', Array.from({ length: 5 }, () => NAME), /"questions" must be/],
    ['a choice without options', [{ ...DATABASE, options: [] }], /"Database" is a choice and needs 2 to 4/],
    ['a choice of one', [{ ...DATABASE, options: [first] }], /needs 2 to 4/],
    ['the same option twice', [{ ...DATABASE, options: [first, first] }], /have the same label/],
    ['an unknown type', [{ ...NAME, type: 'number' }], /"questions\[0\].type" must be one of/],
    ['an empty question', [{ ...NAME, question: ' ' }], /a "question" must not be empty/],
    ['an unknown part', [{ ...NAME, secret: true }], /"questions\[0\].secret" is not an argument/],
  ])('%s', (_, questions, problem) => {
    expect(askUser.check({ questions })).toMatchObject({
      ok: false,
      problems: [expect.stringMatching(problem)],
    });
  });
});
