import { execFileSync } from 'node:child_process';
import {
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { placed, type Tool } from '@countersign/engine';
import { classify } from '@countersign/host';
import { type Plan, type Resource, ToolFailure } from '@countersign/protocol';
import { builtInTools } from '@countersign/tools';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

/** A case of the path corpus; its meaning is section 2 of the corpus's SEMANTICS. */
type Case = {
  readonly id: string;
  readonly op: string;
  readonly path: string;
  readonly setup: readonly Step[];
  readonly expect: 'permit' | 'refuse';
  readonly why: string;
  readonly workspaceAs?: string;
  readonly mustNotTouch?: readonly string[];
  readonly mustNotContain?: string;
  readonly env?: { readonly [name: string]: string };
  readonly race?: { readonly remove: string; readonly symlink: string; readonly target: string };
};
type Step =
  | { readonly file: string; readonly content: string }
  | { readonly dir: string }
  | { readonly symlink: string; readonly target: string }
  | { readonly hardlink: string; readonly target: string }
  | { readonly fifo: string }
  | { readonly socket: string };

type ToolCall = { readonly tool: string; readonly args: { readonly [name: string]: string } };

const CALL_OF_OP: { readonly [op: string]: (path: string) => ToolCall } = {
  read: (path) => ({ tool: 'read_file', args: { file_path: path } }),
  write: (path) => ({ tool: 'write_file', args: { file_path: path, content: 'written' } }),
  edit: (path) => ({
    tool: 'replace',
    args: { file_path: path, old_string: presentText(path), new_string: 'edited' },
  }),
  cwd: (path) => ({ tool: 'run_shell_command', args: { command: 'pwd', dir_path: path } }),
  list: (path) => ({ tool: 'list_directory', args: { dir_path: path } }),
  search: (path) => ({ tool: 'grep_search', args: { dir_path: path, pattern: '.' } }),
  glob: (path) => ({
    tool: 'glob',
    args: /[*?[{]/.test(path) ? { pattern: path } : { dir_path: path, pattern: '**' },
  }),
};
/** No built-in tool does these: they are commands, which are asked about as such. */
const OTHER_OPS = ['delete', 'rename'];

const cases: readonly Case[] = readFileSync(new URL('./paths.public.jsonl', import.meta.url), 'utf8')
  .split('\n')
  .filter((line) => line !== '')
  .map((line) => JSON.parse(line));

test('every case of the corpus is for a tool that is tried here, or for none', () => {
  const known = new Set([...Object.keys(CALL_OF_OP), ...OTHER_OPS]);
  expect(cases.filter(({ op }) => !known.has(op))).toEqual([]);
  expect(cases.filter(({ op }) => op in CALL_OF_OP).length).toBeGreaterThan(43);
});

let base: string;
let close: (() => void)[];
const savedHome = process.env.HOME;
beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'countersign-paths-')));
  for (const name of ['ws', 'outside', 'ws-evil', 'home']) mkdirSync(join(base, name));
  close = [];
});
afterEach(() => {
  for (const stop of close) stop();
  if (savedHome === undefined) delete process.env.HOME;
  else process.env.HOME = savedHome;
  rmSync(base, { recursive: true, force: true });
});

/** Of the kinds of the corpus, for the tools that it has hardly a case of. */
const OWN: readonly Omit<Case, 'id'>[] = [
  { op: 'cwd', path: '.', setup: [], expect: 'permit', why: 'the workspace itself' },
  { op: 'cwd', path: 'd/../d', setup: [{ dir: '{W}/d' }], expect: 'permit', why: '".." that stays inside' },
  { op: 'cwd', path: '..', setup: [], expect: 'refuse', why: 'the directory above' },
  { op: 'cwd', path: '{O}', setup: [], expect: 'refuse', why: 'an absolute path outside' },
  { op: 'cwd', path: '{B}/ws-evil', setup: [], expect: 'refuse', why: 'a sibling with the same beginning' },
  { op: 'cwd', path: 'missing', setup: [], expect: 'refuse', why: 'a directory that is not there' },
  { op: 'cwd', path: 'f', setup: [{ file: '{W}/f', content: 'x' }], expect: 'refuse', why: 'a file' },
  { op: 'cwd', path: '', setup: [], expect: 'refuse', why: 'an empty path' },
  { op: 'cwd', path: '~', setup: [], expect: 'refuse', why: 'nothing is expanded' },
  {
    op: 'cwd',
    path: 'd',
    setup: [{ dir: '{W}/d' }],
    race: { remove: '{W}/d', symlink: '{W}/d', target: '{O}' },
    expect: 'refuse',
    why: 'a directory exchanged for a link',
  },
  {
    op: 'edit',
    path: '../outside/CANARY.txt',
    setup: [],
    expect: 'refuse',
    why: '".." leaves the workspace',
  },
  {
    op: 'edit',
    path: 'a/.ENVRC',
    setup: [{ file: '{W}/a/.ENVRC', content: 'x' }],
    expect: 'refuse',
    why: 'protected, whatever its case',
  },
  { op: 'edit', path: 'a', setup: [{ file: '{W}/a', content: 'x' }], expect: 'permit', why: 'a plain file' },
  ...(['search', 'glob'] as const).flatMap((op): Omit<Case, 'id'>[] => [
    {
      op,
      path: '.',
      setup: [{ file: '{W}/a', content: 'x' }],
      expect: 'permit',
      why: 'the workspace itself',
    },
    { op, path: '..', setup: [], expect: 'refuse', why: 'the directory above' },
    { op, path: '{O}', setup: [], expect: 'refuse', why: 'an absolute path outside' },
    { op, path: '{B}/ws-evil', setup: [], expect: 'refuse', why: 'a sibling with the same beginning' },
    {
      op,
      path: 'sub',
      setup: [{ symlink: '{W}/sub', target: '{O}' }],
      expect: 'refuse',
      why: 'a link that leads out',
    },
    { op, path: 'loop', setup: [{ symlink: '{W}/loop', target: 'loop' }], expect: 'refuse', why: 'a circle' },
    { op, path: 'a\0b', setup: [], expect: 'refuse', why: 'a NUL character' },
    { op, path: '', setup: [], expect: 'refuse', why: 'an empty path' },
    { op, path: '/proc/self', setup: [], expect: 'refuse', why: 'an interface of the kernel' },
    { op, path: 'pipe', setup: [{ fifo: '{W}/pipe' }], expect: 'refuse', why: 'a named pipe' },
    {
      op,
      path: 'd',
      setup: [{ dir: '{W}/d' }],
      race: { remove: '{W}/d', symlink: '{W}/d', target: '{O}' },
      expect: 'refuse',
      why: 'a directory exchanged for a link',
    },
    {
      op,
      path: '.',
      setup: [
        { symlink: '{W}/CAN', target: '{O}' },
        { symlink: '{W}/up', target: '..' },
      ],
      expect: 'permit',
      why: 'links that lead out are not followed',
    },
  ]),
  { op: 'glob', path: '../outside/*', setup: [], expect: 'refuse', why: '".." before a wildcard' },
  { op: 'glob', path: '{O}/**', setup: [], expect: 'refuse', why: 'an absolute pattern outside' },
  { op: 'glob', path: '*/../../outside/*', setup: [], expect: 'refuse', why: '".." after a wildcard' },
  { op: 'glob', path: '{..,src}/outside/*', setup: [], expect: 'refuse', why: '".." in braces' },
  { op: 'glob', path: 'a\0*', setup: [], expect: 'refuse', why: 'a NUL character in a pattern' },
  {
    op: 'glob',
    path: 'sub/*',
    setup: [{ symlink: '{W}/sub', target: '{O}' }],
    expect: 'refuse',
    why: 'a pattern through a link',
  },
  {
    op: 'glob',
    path: '{WL}/src/*',
    workspaceAs: '{B}/wslink',
    setup: [
      { file: '{W}/src/a', content: 'x' },
      { symlink: '{B}/wslink', target: '{W}' },
    ],
    expect: 'permit',
    why: 'the workspace by another name',
  },
];

describe('paths [P5]', () => {
  test.each(OWN.map((given, index) => ({ ...given, id: `own-${index}` })))(
    '$op $path: $expect, $why',
    async (given) => {
      writeFileSync(join(base, 'outside', 'CANARY.txt'), 'CANARY');
      await check(given);
    },
  );

  test.each(cases.filter(({ op }) => op in CALL_OF_OP))('$id $op: $expect, $why', check);
});

async function check(given: Case): Promise<void> {
  for (const step of given.setup) set(step);
  for (const [name, value] of Object.entries(given.env ?? {})) process.env[name] = filled(value);
  const before = outsideFiles();
  const touchable = (given.mustNotTouch ?? []).map((path) => [path, stateOf(filled(path))]);

  const outcome = await attempt(given);

  expect(outcome).toMatchObject({ decision: given.expect });
  // Whoever edits a file inside sees what it holds, by whatever other name that is known.
  if (given.op !== 'edit') expect(outcome.output).not.toContain(given.mustNotContain ?? 'CANARY');
  expect(outsideFiles()).toEqual(before);
  expect((given.mustNotTouch ?? []).map((path) => [path, stateOf(filled(path))])).toEqual(touchable);
}

function presentText(path: string): string {
  const full = resolve(base, 'ws', path);
  return existsSync(full) && statSync(full).isFile() ? readFileSync(full, 'utf8') : 'nothing';
}

const filled = (text: string): string =>
  text
    .replaceAll('{WL}', `${base}/wslink`)
    .replaceAll('{W}', `${base}/ws`)
    .replaceAll('{O}', `${base}/outside`)
    .replaceAll('{HOME}', `${base}/home`)
    .replaceAll('{B}', base);

function set(step: Step): void {
  const made = (path: string) => {
    const full = filled(path);
    mkdirSync(dirname(full), { recursive: true });
    return full;
  };
  if ('file' in step) writeFileSync(made(step.file), step.content);
  else if ('dir' in step) mkdirSync(filled(step.dir), { recursive: true });
  else if ('symlink' in step) symlinkSync(filled(step.target), made(step.symlink));
  else if ('hardlink' in step) linkSync(filled(step.target), made(step.hardlink));
  else if ('fifo' in step) execFileSync('mkfifo', [made(step.fifo)]);
  else {
    const server = createServer().listen(made(step.socket));
    close.push(() => server.close());
  }
}

type Outcome = { readonly decision: 'permit' | 'refuse'; readonly because: string; readonly output: string };

/** What becomes of the call in `auto_edit`: done if it is inside and not guarded, otherwise a question or an error. */
async function attempt(given: Case): Promise<Outcome> {
  const call = CALL_OF_OP[given.op]?.(filled(given.path));
  const tool = builtInTools().find((candidate) => candidate.name === call?.tool);
  if (call === undefined || tool === undefined) throw new Error(`no tool for ${given.op}`);
  try {
    return await planAndRun(tool, call.args, given);
  } catch (error) {
    // Anything but a failure as data would be a crash.
    if (!(error instanceof ToolFailure)) throw error;
    return { decision: 'refuse', because: error.failure.code, output: JSON.stringify(error.failure) };
  }
}

async function planAndRun(tool: Tool, args: ToolCall['args'], given: Case): Promise<Outcome> {
  const workspace = realpathSync(filled(given.workspaceAs ?? '{W}'));
  const context = { sessionId: 'corpus', callId: given.id, workspace, signal: new AbortController().signal };
  expect(tool.check(args)).toMatchObject({ ok: true });
  const draft = await tool.plan(args, {
    ...context,
    wasRead: () => true,
    earlier: () => Promise.resolve(null),
    needs: [],
  });
  const resources = draft.resources.map(
    (resource): Resource => ('path' in resource ? placed(resource, { classify, workspace }) : resource),
  );
  const question = resources.find((r) => 'path' in r && (r.place === 'outside' || r.guarded !== null));
  if (question !== undefined) return { decision: 'refuse', because: JSON.stringify(question), output: '' };

  if (given.race) {
    rmSync(filled(given.race.remove), { recursive: true });
    symlinkSync(filled(given.race.target), filled(given.race.symlink));
  }
  const plan: Plan = {
    title: draft.title,
    kind: tool.kind,
    resources,
    locations: draft.locations ?? [],
    basis: draft.basis ?? [],
    repeat: draft.repeat,
    after: 'conflicts',
    byDefault: null,
    digest: '',
  };
  const ignored = () => {};
  const result = await tool.run(args, {
    ...context,
    sessionDirectory: join(base, 'outputs', 's1'),
    directory: join(base, 'outputs', 's1', '1-0'),
    plan,
    permit: { type: 'policy', rule: null },
    answers: null,
    setMode: ignored,
    ask: () => Promise.resolve(null),
    attempt: 1,
    updateOutput: ignored,
    progress: ignored,
    process: ignored,
  });
  return { decision: 'permit', because: 'inside', output: JSON.stringify(result) };
}

/** Everything outside the workspace, with content. */
function outsideFiles(): { readonly [path: string]: string } {
  const files: { [path: string]: string } = {};
  const visit = (directory: string) => {
    for (const entry of readdirSync(directory, { withFileTypes: true })) {
      const path = join(directory, entry.name);
      if (path === join(base, 'ws') || path === join(base, 'outputs')) continue;
      if (entry.isDirectory()) visit(path);
      files[path] = entry.isFile() ? readFileSync(path, 'utf8') : 'no file';
    }
  };
  visit(base);
  return files;
}

const stateOf = (path: string): string | null => {
  if (!existsSync(path)) return null;
  return lstatSync(path).isFile() ? readFileSync(path, 'utf8') : 'no file';
};
