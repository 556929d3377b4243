import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import type { Tool } from '@countersign/engine';
import { errnoOf } from '@countersign/host';
import { type TemporaryWorkspace, temporaryWorkspace } from '@countersign/host/testing';
import { type JsonObject, ToolFailure } from '@countersign/protocol';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { glob } from '../glob/glob.js';
import { workspaceFiles } from '../glob/workspace-files.js';
import { grepSearch } from '../grep-search/grep-search.js';
import { listDirectory } from '../list-directory/list-directory.js';
import { readManyFiles } from '../read-many-files/read-many-files.js';
import { carryOut } from '../testing/carry-out.js';
import { chooseRipgrep, RIPGREP_CHOICES } from '../testing/choose-ripgrep.js';

let place: TemporaryWorkspace;
let swapping: ChildProcess;
beforeEach(async () => {
  place = temporaryWorkspace();
  prepare();
  swapping = spawn(process.execPath, ['-e', SWAPPING, place.workspace], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await new Promise((resolve) => swapping.stdout?.once('data', resolve));
});
afterEach(async () => {
  const ended = new Promise((resolve) => swapping.once('exit', resolve));
  swapping.kill('SIGKILL');
  await ended;
  place.remove();
});

// As many as fit into the time, which a loaded machine makes fewer; without a few there is nothing to see.
const CALLS_MAX = 300;
const CALLS_MIN = 20;
const CALLS_MS_MAX = 5_000;
const TEST_MS_MAX = 60_000;
const FILES = 20;

/** Inside and outside have files of the same names, and each has some that the other does not. */
function prepare(): void {
  for (let index = 0; index < FILES; index += 1) {
    place.put(`d/deep/${index}.txt`, 'needle inside\n');
    place.put(`d/only-inside-${index}.txt`, 'needle inside\n');
  }
  place.put('d/.gitignore', 'nothing\n');
  place.put('f.txt', 'needle inside\n');
  mkdirSync(`${place.outside}/deep`);
  for (let index = 0; index < FILES; index += 1) {
    writeFileSync(`${place.outside}/deep/${index}.txt`, 'needle CANARY\n');
    writeFileSync(`${place.outside}/only-inside-${index}.txt`, 'needle CANARY\n');
    writeFileSync(`${place.outside}/CANARY-${index}.txt`, 'needle CANARY\n');
  }
  // Were it respected, what lies inside would be omitted.
  writeFileSync(`${place.outside}/.gitignore`, '*\n');
  symlinkSync(place.outside, `${place.workspace}/d.link`);
  symlinkSync(`${place.outside}/CANARY-0.txt`, `${place.workspace}/f.link`);
}

/** By renaming alone, so that a name is hardly ever free: first a directory, then a file, and back. */
const SWAPPING = `
  const { renameSync } = require('node:fs');
  process.chdir(process.argv[1]);
  process.stdout.write('begun');
  const end = Date.now() + 60_000;
  while (Date.now() < end)
    for (const name of ['d', 'f.txt']) {
      const link = name === 'd' ? 'd.link' : 'f.link';
      renameSync(name, 'away'); renameSync(link, name);
      renameSync(name, link); renameSync('away', name);
    }
`;

/** What calls gave. */
async function resultsOf(call: () => Promise<string>): Promise<string[]> {
  const end = performance.now() + CALLS_MS_MAX;
  const seen = new Set<string>();
  for (let calls = 0; calls < CALLS_MAX; calls += 1) {
    if (calls >= CALLS_MIN && performance.now() > end) break;
    seen.add(await call());
  }
  return [...seen];
}

const textOf = async (tool: Tool, args: JsonObject): Promise<string> => {
  try {
    const { plan, result } = await carryOut(tool, args, { workspace: place.workspace });
    // A path that leads outside when the call is planned is shown so, and asked about.
    const isAskedAbout = plan.resources.some(
      (resource) => 'place' in resource && resource.place === 'outside',
    );
    return isAskedAbout ? 'failed: a person was asked' : JSON.stringify(result);
  } catch (error) {
    // To be refused because something was swapped is right, and says nothing of the outside.
    if (error instanceof ToolFailure) return `failed: ${JSON.stringify(error.failure)}`;
    if (errnoOf(error) !== null) return `failed: ${errnoOf(error)}`;
    throw error;
  }
};

const CASES: readonly (readonly [string, Tool, JsonObject])[] = [
  ['grep_search of the workspace', grepSearch([]), { pattern: 'needle' }],
  ['grep_search of a directory below', grepSearch([]), { pattern: 'needle', dir_path: 'd/deep' }],
  ['grep_search of one file', grepSearch([]), { pattern: 'needle', dir_path: 'f.txt' }],
  ['glob', glob, { pattern: '**/*.txt' }],
  ['glob with a directory', glob, { pattern: 'd/*.txt' }],
  ['read_many_files', readManyFiles([]), { include: ['**/*.txt'] }],
  ['list_directory', listDirectory, { dir_path: 'd/deep' }],
];

describe.each(RIPGREP_CHOICES)('%s, while a process swaps a directory and a file for links', (choice) => {
  let restoreChoice: () => void;
  beforeEach(() => {
    restoreChoice = chooseRipgrep(choice);
  });
  afterEach(() => restoreChoice());

  test.each(CASES)(
    '%s never gives what lies outside [P5]',
    async (_, tool, args) => {
      const seen = await resultsOf(() => textOf(tool, args));
      expect(seen.filter((text) => text.includes('CANARY'))).toEqual([]);
      expect(seen.some((text) => !text.startsWith('failed: '))).toBe(true);
    },
    TEST_MS_MAX,
  );

  test(
    'names for completion never lie outside [P5]',
    async () => {
      const seen = await resultsOf(async () =>
        (await workspaceFiles(place.workspace, 1_000, new AbortController().signal)).files.join('\n'),
      );
      expect(seen.filter((text) => text.includes('CANARY'))).toEqual([]);
    },
    TEST_MS_MAX,
  );
});

test(
  'how many matches there are, and whether there are any, does not depend on the outside [P5]',
  async () => {
    const seen = await resultsOf(async () => textOf(grepSearch([]), { pattern: 'CANARY', names_only: true }));
    const searched = seen.filter((text) => !text.startsWith('failed: '));
    expect(searched).not.toEqual([]);
    for (const text of searched) expect(JSON.parse(text).llmContent).toMatch(/^No matches/);
  },
  TEST_MS_MAX,
);
