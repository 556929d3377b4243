import { expect, test } from 'vitest';
import { main } from '../../examples/react-hooks.js';

test('a component of anybody follows the calls of a session, and learns of each once, also when it comes back [E3]', async () => {
  expect(await main()).toEqual({ shown: 'success    read_file', submitted: [true], told: [['success']] });
});
