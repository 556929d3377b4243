import { describe, expect } from 'vitest';
import { type Place, test } from '../cli/program.js';
import { answerElsewhere, modifyElsewhere, type Questions, until, untilWaiting } from './front-end.js';
import { expectDone, owning } from './owning.js';
import { startPageBeside } from './page.js';
import { startTerminalBeside } from './terminal.js';

const FRONT_ENDS: readonly (readonly [name: string, start: (place: Place) => Promise<Questions>])[] = [
  ['in the terminal', startTerminalBeside],
  ['on the page', startPageBeside],
];

describe.each(FRONT_ENDS)('a question of another process, %s,', (_, start) => {
  test('is answered, and carried out there [A6] [C4]', async ({ place }) => {
    const owner = await owning(place);
    const front = await start(place);
    await untilWaiting(front, 'a.txt');
    await front.answer('a.txt', 'proceed_once');
    await expectDone(owner, place);
    await untilWaiting(front);
    expect(front.shown()).toHaveLength(1);
  });

  test('is withdrawn when it is answered in a third [A5]', async ({ place }) => {
    const owner = await owning(place);
    const front = await start(place);
    await untilWaiting(front, 'a.txt');
    expect(await answerElsewhere(place, 'a.txt', 'proceed_once')).toMatchObject({ ok: true });
    await expectDone(owner, place);
    await untilWaiting(front);
    expect(front.shown()).toHaveLength(1);
  });

  test('is another one when it is modified in a third, and a yes is to that one [A4]', async ({ place }) => {
    const owner = await owning(place);
    const front = await start(place);
    await untilWaiting(front, 'a.txt');
    const args = { file_path: 'a.txt', content: 'changed' };
    expect(await modifyElsewhere(place, 'a.txt', args)).toMatchObject({ ok: true });
    await until(() => front.shown().length === 2, 'the question that took its place');
    await front.answer('a.txt', 'proceed_once');
    await expectDone(owner, place, 'changed');
  });

  test('is put anew when what it shows is not true any more: the yes to it counts for nothing [A3]', async ({
    place,
  }) => {
    const owner = await owning(place);
    const front = await start(place);
    await untilWaiting(front, 'a.txt');
    place.write('a.txt', 'written meanwhile\n');
    await front.answer('a.txt', 'proceed_once');
    await until(() => front.shown().length === 2, 'the question that took its place');
    expect(place.read('a.txt')).toBe('written meanwhile\n');
    await front.answer('a.txt', 'proceed_once');
    await expectDone(owner, place);
    await untilWaiting(front);
  });

  test('is put anew here when its owner has died and what it shows is not true any more [A3] [S3]', async ({
    place,
  }) => {
    const owner = await owning(place);
    owner.signal('SIGKILL');
    await owner.ended();
    const front = await start(place);
    await untilWaiting(front, 'a.txt');
    place.write('a.txt', 'written meanwhile\n');
    await front.answer('a.txt', 'proceed_once');
    await until(() => front.shown().length === 2, 'the question that took its place');
    expect(place.read('a.txt')).toBe('written meanwhile\n');
    await front.answer('a.txt', 'proceed_once');
    await until(() => place.read('a.txt') === 'new', 'the change');
    await untilWaiting(front);
  });
});
