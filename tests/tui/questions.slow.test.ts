import { expect } from 'vitest';
import { test } from '../cli/program.js';
import { call, inTui, KEYS, say, text } from './tui.js';

const questions = [
  {
    question: 'Which colour should it have?',
    header: 'Colour',
    type: 'choice',
    options: [
      { label: 'Red', description: 'as the old one' },
      { label: 'Blue', description: 'as the sea' },
    ],
  },
  {
    question: 'Which parts?',
    header: 'Parts',
    type: 'choice',
    multiSelect: true,
    options: [
      { label: 'Door', description: '' },
      { label: 'Roof', description: '' },
      { label: 'Wall', description: '' },
    ],
  },
  { question: 'What is it called?', header: 'Name', type: 'text', placeholder: 'Harbour House' },
];

test('questions of the agent are answered by a choice, by several, and in words [U2] [A1]', async ({
  place,
}) => {
  await inTui(
    place,
    [[call('ask_user', { questions: structuredClone(questions) })], [text('Thanks.')]],
    async (tui) => {
      await say(tui, 'go');
      await tui.shows('Question 1 of 3: Colour');
      await expect(tui.masked(place)).toMatchFileSnapshot('screens/ask-choice.txt');
      await tui.answer('2');
      await tui.shows('Question 2 of 3: Parts');
      await tui.answer(' ', KEYS.down, KEYS.down, ' ');
      await tui.shows('[x] Wall');
      await expect(tui.masked(place)).toMatchFileSnapshot('screens/ask-several.txt');
      tui.press(KEYS.enter);
      await tui.shows('e.g. Harbour House');
      tui.type('Lighthouse');
      await tui.shows('> Lighthouse');
      tui.press(KEYS.enter);
      await tui.shows('Thanks.');
      for (const answer of ['Colour: Blue', 'Parts: Door, Wall', 'Name: Lighthouse'])
        expect(tui.everything()).toContain(answer);
    },
  );
});

test('a question can be answered in own words, and esc answers none [U2]', async ({ place }) => {
  const one = { ...questions[0], options: questions[0]?.options ?? [] };
  await inTui(
    place,
    [[call('ask_user', { questions: [one] })], [call('ask_user', { questions: [one] })], [text('Well.')]],
    async (tui) => {
      await say(tui, 'go');
      await tui.shows('Which colour');
      await tui.answer('3');
      await tui.shows('enter sends');
      tui.type('Green');
      await tui.shows('> Green');
      tui.press(KEYS.enter);
      await tui.until('the second question', () =>
        tui.everything().includes("Green (in the user's own words)"),
      );
      await tui.shows('Which colour');
      await tui.answer(KEYS.escape);
      await tui.shows('Well.');
      expect(tui.everything()).toContain('User did not allow tool call');
    },
  );
});

test('agreeing to a plan ends plan mode in the mode that was chosen [U2] [P1]', async ({ place }) => {
  place.write('.countersign/plans/door.md', '# Door\n\n1. Saw\n2. Paint\n');
  await inTui(
    place,
    [[call('exit_plan_mode', { plan_filename: 'door.md' })], [text('I begin.')]],
    async (tui) => {
      await tui.shows('plan (shift-tab)');
      await say(tui, 'go');
      await tui.shows('Do you agree with this plan?');
      await expect(tui.masked(place)).toMatchFileSnapshot('screens/plan.txt');
      await tui.answer('2');
      await tui.shows('I begin.');
      await tui.shows('auto_edit (shift-tab)');
    },
    { args: ['--mode', 'plan'] },
  );
});

test('text being typed when a question appears is no answer to it [U2] [A3]', async ({ place }) => {
  await inTui(
    place,
    [[call('wait', { ms: 300 }), call('run_shell_command', { command: 'touch a' })], [text('Ok.')]],
    async (tui) => {
      await say(tui, 'go');
      const typed = '1 2 3 1\r';
      const begun = performance.now();
      for (let at = 0; performance.now() - begun < 1_500; at++) {
        tui.type(typed.charAt(at % typed.length));
        await new Promise((resolve) => setTimeout(resolve, 40));
      }
      await tui.shows('Allow execution?');
      expect(place.has('a')).toBe(false);
      await tui.answer(KEYS.escape);
      await tui.shows('Ok.');
      expect(place.has('a')).toBe(false);
    },
  );
});

test('a bell rings when a question waits and the terminal has no focus [U3]', async ({ place }) => {
  await inTui(place, [[call('look_up', {})], [text('Ok.')]], async (tui) => {
    tui.press(KEYS.blur);
    await say(tui, 'go');
    await tui.shows('Do you want to proceed?');
    await tui.until('a bell', () =>
      tui.bytes.includes('\u0007\u001b]9;Countersign: Your answer is needed.\u0007'),
    );
  });
});
