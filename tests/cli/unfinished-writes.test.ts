import { mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { type Place, test } from './program.js';

const ROUNDS_MAX = 10; // the program may be quicker than the kill
const CONTENT = 'x'.repeat(8_000_000);

const leftIn = (directory: string): readonly string[] =>
  readdirSync(directory).filter((name) => name.startsWith('.countersign-'));
const notesIn = (place: Place): readonly string[] => readdirSync(join(place.home, 'outputs', '.unfinished'));

/** Kills the program in the middle of a write, as soon as there is a temporary file. */
async function killWhileWriting(place: Place, round: number): Promise<void> {
  const call = {
    id: 'w',
    name: 'write_file',
    args: { file_path: `deep/new-${round}.txt`, content: CONTENT },
  };
  const running = place.start(['exec', '--yolo']);
  running.end(`${JSON.stringify(call)}\n`);
  const directory = join(place.workspace, 'deep');
  for (let looks = 0; looks < 200_000 && leftIn(directory).length === 0; looks++) {
    if (readdirSync(directory).includes(`new-${round}.txt`)) break;
    await new Promise(setImmediate);
  }
  running.signal('SIGKILL');
  await running.ended();
}

test('what kill -9 in the middle of a write leaves in the workspace, the next session there removes [T5] [X5]', async ({
  place,
}) => {
  mkdirSync(join(place.workspace, 'deep'));
  for (let round = 0; round < ROUNDS_MAX && leftIn(join(place.workspace, 'deep')).length === 0; round++)
    await killWhileWriting(place, round);
  expect(leftIn(join(place.workspace, 'deep'))).toHaveLength(1);

  // What only looks like such a file, or is noted by a process that does not exist under another name, stays.
  const kept = join(place.workspace, 'precious.txt');
  writeFileSync(kept, 'mine');
  const link = join(place.workspace, '.countersign-0123456789abcdef.tmp');
  symlinkSync(kept, link);
  const note = (name: string, path: string) =>
    writeFileSync(join(place.home, 'outputs', '.unfinished', name), path);
  note('999999999-1-aa-0123456789abcdef', kept);
  note('999999999-1-aa-0123456789abcde0', link);

  const ran = await place.run(['exec', '{"id":"a","name":"list_directory","args":{"dir_path":"."}}']);
  expect(ran.code).toBe(0);
  expect(leftIn(join(place.workspace, 'deep'))).toEqual([]);
  expect(place.read('precious.txt')).toBe('mine');
  expect(readdirSync(place.workspace)).toContain('.countersign-0123456789abcdef.tmp');
  expect(notesIn(place)).toEqual([]);
});
