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
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type Tool, ToolFailure } from '@countersign/engine';
import type { Plan, Resource } from '@countersign/protocol';
import { builtInTools, classify } from '@countersign/tools';
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

const TOOL_OF_OP: { readonly [op: string]: { readonly tool: string; readonly argument: string } } = {
  read: { tool: 'read_file', argument: 'file_path' },
  write: { tool: 'write_file', argument: 'file_path' },
  list: { tool: 'list_directory', argument: 'dir_path' },
};
/** These belong to tools that do not exist yet. */
const LATER_OPS = ['edit', 'search', 'glob', 'delete', 'rename', 'cwd'];

const cases: readonly Case[] = readFileSync(new URL('./paths.public.jsonl', import.meta.url), 'utf8')
  .split('\n')
  .filter((line) => line !== '')
  .map((line) => JSON.parse(line));

test('every case of the corpus is for a tool that is tried here or not built yet', () => {
  const known = new Set([...Object.keys(TOOL_OF_OP), ...LATER_OPS]);
  expect(cases.filter(({ op }) => !known.has(op))).toEqual([]);
  expect(cases.filter(({ op }) => op in TOOL_OF_OP).length).toBeGreaterThan(35);
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

describe('paths [P5]', () => {
  test.each(cases.filter(({ op }) => op in TOOL_OF_OP))('$id $op: $expect, $why', async (given) => {
    for (const step of given.setup) set(step);
    for (const [name, value] of Object.entries(given.env ?? {})) process.env[name] = filled(value);
    const before = outsideFiles();
    const touchable = (given.mustNotTouch ?? []).map((path) => [path, stateOf(filled(path))]);

    const outcome = await attempt(given);

    expect(outcome).toMatchObject({ decision: given.expect });
    expect(outcome.output).not.toContain(given.mustNotContain ?? 'CANARY');
    expect(outsideFiles()).toEqual(before);
    expect((given.mustNotTouch ?? []).map((path) => [path, stateOf(filled(path))])).toEqual(touchable);
  });
});

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
  const { tool: name, argument } = TOOL_OF_OP[given.op] ?? { tool: '', argument: '' };
  const tool = builtInTools().find((candidate) => candidate.name === name);
  if (tool === undefined) throw new Error(`no tool ${name}`);
  const content = given.op === 'write' ? { content: 'written' } : {};
  const args = { [argument]: filled(given.path), ...content };
  try {
    return await planAndRun(tool, args, given);
  } catch (error) {
    // Anything but a failure as data would be a crash.
    if (!(error instanceof ToolFailure)) throw error;
    return { decision: 'refuse', because: error.failure.code, output: JSON.stringify(error.failure) };
  }
}

async function planAndRun(
  tool: Tool,
  args: { readonly [name: string]: string },
  given: Case,
): Promise<Outcome> {
  const workspace = realpathSync(filled(given.workspaceAs ?? '{W}'));
  const context = { callId: given.id, workspace, signal: new AbortController().signal };
  expect(tool.check(args)).toMatchObject({ ok: true });
  const draft = await tool.plan(args, context);
  const resources = draft.resources.map(
    (resource): Resource =>
      'path' in resource ? { ...resource, ...classify(workspace, resource.path) } : resource,
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
    plan,
    attempt: 1,
    updateOutput: ignored,
    progress: ignored,
  });
  return { decision: 'permit', because: 'inside', output: JSON.stringify(result) };
}

/** Everything outside the workspace, with content. */
function outsideFiles(): { readonly [path: string]: string } {
  const files: { [path: string]: string } = {};
  const visit = (directory: string) => {
    for (const entry of readdirSync(directory, { withFileTypes: true })) {
      const path = join(directory, entry.name);
      if (path === join(base, 'ws')) continue;
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
