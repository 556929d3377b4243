import { expect, test } from 'vitest';
import { seen } from './file-change.js';
import type { FileEdit } from './file-edit.js';
import { KeptChanges } from './kept-changes.js';
import { newContent } from './new-content.js';

const PRESENT = seen(Buffer.from('old\n'));
const writing = (content: string, verb = 'Write'): FileEdit => ({
  verb,
  missing: 'create',
  parameters: [content],
  rewrite: (present, shown) => newContent(present, content, shown),
});

test('a run gets the change that was planned, once', () => {
  const changes = new KeptChanges();
  const planned = changes.plan(PRESENT, writing('new\n'), 'a');
  expect(changes.plan(PRESENT, writing('new\n'), 'a')).toBe(planned);
  expect(changes.run(PRESENT, writing('new\n'), 'a')).toBe(planned);
  const again = changes.run(PRESENT, writing('new\n'), 'a');
  expect(again).not.toBe(planned);
  expect(again.after).toEqual(planned.after);
});

test('a run never gets the change of another content, edit or file [A3]', () => {
  const changes = new KeptChanges();
  const planned = changes.plan(PRESENT, writing('new\n'), 'a');
  const others = [
    changes.run(seen(Buffer.from('other\n')), writing('new\n'), 'a'),
    changes.run(null, writing('new\n'), 'a'),
    changes.run(PRESENT, writing('newer\n'), 'a'),
    changes.run(PRESENT, writing('new\n', 'Edit'), 'a'),
    changes.run(PRESENT, writing('new\n'), 'b'),
  ];
  expect(others).not.toContain(planned);
  expect(changes.run(PRESENT, writing('new\n'), 'a')).toBe(planned);
});

test('changes that never run are dropped when there are more, by number and by size', () => {
  const changes = new KeptChanges();
  const first = changes.plan(PRESENT, writing('first\n'), 'a');
  for (let count = 0; count < 63; count += 1) changes.plan(PRESENT, writing(`${count}`), 'a');
  expect(changes.plan(PRESENT, writing('first\n'), 'a')).toBe(first);
  for (let count = 0; count < 64; count += 1) changes.plan(PRESENT, writing(`${count}`), 'b');
  expect(changes.run(PRESENT, writing('first\n'), 'a')).not.toBe(first);

  const large = writing('x'.repeat(11_000_000));
  const tooLarge = changes.plan(PRESENT, large, 'a');
  expect(changes.run(PRESENT, large, 'a')).not.toBe(tooLarge);
});
