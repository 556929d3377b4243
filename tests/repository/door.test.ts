import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readDoors } from '../../scripts/docs/api-reference.mjs';
import { readDoor } from '../../scripts/source/door.mjs';

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'countersign-door-'));
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

function write(path: string, text: string): string {
  const full = join(directory, path);
  mkdirSync(dirname(full), { recursive: true });
  writeFileSync(full, text);
  return full;
}

test('exported names are followed to where they are declared, under the names they are exported by', () => {
  write(
    'deep/things.d.ts',
    `/** Counts. */
export declare class Counter {
    #private;
    count(): number;
}
export declare function makeCounter(from?: number): Counter;
/** How loud. */
export declare const Volume: { readonly Low: 'low' };
export type Volume = 'low';
export interface Hidden { readonly a: string }
`,
  );
  write('middle.d.ts', "import type { Hidden } from './deep/things.js';\nexport type { Hidden as Shown };\n");
  const door = readDoor(
    write(
      'index.d.ts',
      `/** About the file itself. */
export * from './middle.js';
export { Counter, makeCounter as counter, Volume } from './deep/things.js';
`,
    ),
  );
  expect(Object.fromEntries(door)).toEqual({
    Shown: [{ kind: 'type', signature: 'interface Shown { readonly a: string }', comment: null }],
    Counter: [{ kind: 'class', signature: 'class Counter {\n    count(): number;\n}', comment: 'Counts.' }],
    counter: [{ kind: 'function', signature: 'function counter(from?: number): Counter;', comment: null }],
    Volume: [
      { kind: 'constant', signature: "const Volume: { readonly Low: 'low' };", comment: 'How loud.' },
      { kind: 'type', signature: "type Volume = 'low';", comment: null },
    ],
  });
});

test('a name whose declaration is not found is an error, not a gap', () => {
  const file = write('index.d.ts', "export { something } from './nowhere-else.js';");
  write('nowhere-else.d.ts', 'export declare const other: 1;');
  expect(() => readDoor(file)).toThrow('exports something, and where it comes from was not found');
});

test('every name of the library says what it is for', () => {
  const silent = Object.entries(readDoors()).flatMap(([entry, door]) =>
    [...door]
      .filter(([, declarations]) => declarations.every(({ comment }) => comment === null))
      .map(([name]) => `${entry}: ${name}`),
  );
  expect(silent).toEqual([]);
});
