import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parseConfiguration } from './parse-configuration.js';

let directory: string;
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'countersign-config-'));
});
afterAll(() => rmSync(directory, { recursive: true }));

/** What git itself reads from the text: names and values, or null if it refuses. */
function readByGit(text: string): readonly (readonly [string, string])[] | null {
  const file = join(directory, 'config');
  writeFileSync(file, text);
  const { status, stdout } = spawnSync('git', ['config', '--no-includes', '-z', '-l', '-f', file], {
    encoding: 'utf8',
  });
  if (status !== 0) return null;
  return stdout
    .split('\0')
    .slice(0, -1)
    .map((item) => {
      const end = item.indexOf('\n');
      return end === -1 ? [item, 'true'] : [item.slice(0, end), item.slice(end + 1)];
    });
}

function readHere(text: string): readonly (readonly [string, string])[] | null {
  const parsed = parseConfiguration(text);
  return parsed.ok ? parsed.settings.map(({ name, value }) => [name, value]) : null;
}

test.each([
  '[core]\n\tfsmonitor = ./evil.sh\n',
  '[CORE] FSMonitor=x',
  '[core]fsmonitor',
  '[core]\nfsmonitor = a # b ; c\n',
  '[core]\nfsmonitor = "a # b" ; c\n',
  '[core]\nfsmonitor = a\\\n  b\n',
  '[core]\nfsmonitor = "a\\\nb"\n',
  '[core]\nfsmonitor = "a" b "c"  \n',
  '[core]\nfsmonitor = \\"a\\" \\t \\n \\\\ \\b\n',
  '[remote "Or\\"ig\\\\in"]\nurl = x\n',
  '[remote "a]b"] url = x\n',
  '[remote.Origin]\nurl = x\n',
  '[remote "x"]\r\n\turl = y\r\n',
  '\uFEFF[core]\nbare = false\n',
  '# comment\n; another\n[a]\n\n\tb\n\tc=\n',
  '[a "b\nc"]\nd = e\n',
  '[a]\nb c = d\n',
  '[a]\n1b = c\n',
  '[a]\nb_c = d\n',
  '[a\n]\nb = c\n',
  '[a]\nb = "c\n',
  '[a]\nb = \\q\n',
  '[a] [b] c = d\n[e]f',
  '[a "b"]\nc = d\\\n',
  '[a]b = c [d]\n[e]\n',
  '[include]\n\tpath = x\n',
])('reads %j as git does, or refuses it [P4]', (text) => {
  expect(readHere(text)).toEqual(readByGit(text));
});

test('refuses a key without a section, which git accepts and which is not used [P4]', () => {
  expect(parseConfiguration('b = c\n')).toEqual({ ok: false, line: 1 });
});

const PARTS = [
  ...['[core]', '[remote "a b"]', '[a.B]', '[', ']', '"', '\\', '\\\n', '\n', '\r\n', '\t', ' ', '='],
  ...['key', 'Key-2', 'fsmonitor', 'x', '#', ';', '\\n', '\\"', '\\q', '1', '_', './evil.sh', 'ü', '.'],
];
const SEED = 7;
const TEXTS = 400;

test('reads whatever text git reads, and no more, alike [P4]', () => {
  let state = SEED;
  const next = (below: number): number => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * below);
  };
  let accepted = 0;
  for (let text = 0; text < TEXTS; text += 1) {
    const parts = Array.from({ length: 1 + next(12) }, () => PARTS[next(PARTS.length)] ?? '');
    const written = `[core]\n${parts.join('')}`;
    const read = readHere(written);
    if (read !== null) accepted += 1;
    expect([written, read]).toEqual([written, readByGit(written)]);
  }
  expect(accepted).toBeGreaterThan(20);
}, 60_000);
