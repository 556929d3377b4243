import { expect, test } from 'vitest';
import { main } from '../../examples/editor.js';

test('an edit changed in an editor is shown again, asked about again, and then exactly that is written [A4, E1]', async () => {
  const path = process.env['PATH'];
  const { call, shown, written } = await main();
  const told = shown.map(({ isModifying, newContent, notice }) =>
    JSON.stringify({ isModifying, newContent, notice }),
  );
  expect([...new Set(told)]).toEqual([
    JSON.stringify({ isModifying: false, newContent: 'as proposed\n' }),
    JSON.stringify({
      isModifying: false,
      newContent: 'as proposed\n',
      notice: 'The question is unchanged: no editor is configured.',
    }),
    JSON.stringify({ isModifying: true, newContent: 'as proposed\n' }),
    JSON.stringify({ isModifying: false, newContent: 'as edited\n' }),
  ]);
  expect(call).toMatchObject({ status: 'success', outcome: 'proceed_once', modified: true });
  expect(written).toBe('as edited\n');
  expect(process.env['PATH']).toBe(path);
});
