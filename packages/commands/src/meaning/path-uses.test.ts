import { expect, test } from 'vitest';
import { analyzeCommand } from '../analyze-command.js';
import { enteredFolders } from './entered-folders.js';
import { pathUses } from './path-uses.js';

test.each([
  ['echo x > ~/.bashrc', { written: ['~/.bashrc'], given: [] }],
  ['make >> "$HOME/log" 2>&1', { written: ['~/log'], given: [] }],
  ['make > /dev/null', { written: [], given: [] }],
  ['cp a.txt ../b.txt', { written: ['a.txt', '../b.txt'], given: [] }],
  ['/bin/rm -rf ~', { written: ['~'], given: [] }],
  ['sudo rm /x', { written: ['/x'], given: ['rm', '/x'] }],
  ['dd if=/dev/zero of=/dev/sda', { written: ['/dev/zero', '/dev/sda'], given: [] }],
  ['node --env-file=../.env app.js < in', { written: [], given: ['in', '../.env', 'app.js'] }],
  ['echo /etc/passwd; make', { written: [], given: [] }],
  ['touch "$X" $(pwd)/y', { written: [], given: [] }],
])('%j names %j [P5]', (text, expected) => {
  const uses = pathUses(analyzeCommand(text));
  const named = (access: 'reads' | 'writes') => [
    ...new Set(uses.filter((use) => use.access === access).map(({ path }) => path)),
  ];
  const [written, given] = [named('writes'), named('reads')];
  expect({ written, given }).toEqual(expected);
});

test('where it goes is reported, since paths count from there [P5]', () => {
  expect(enteredFolders(analyzeCommand('cd .. && pushd sub; rm x'))).toEqual({
    moves: ['..', 'sub'],
    isKnown: true,
    mayRepeat: false,
  });
});
