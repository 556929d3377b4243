import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { HookEvent, HookPayloads } from '../hook/events.js';
import type { HookDefinition } from '../hook/hook.js';
import type { HookReport } from '../run/combine.js';
import type { HookContext } from '../run/hook-context.js';
import { runHooks } from '../run/run-hooks.js';
import { readHooks } from '../settings/read-hooks.js';

/** One hook as settings would have it, with only what a test is about. */
export type HookSetup = { readonly command: string } & Partial<{
  name: string;
  timeout: number;
  env: { readonly [name: string]: string };
  onFailure: 'deny' | 'ignore';
  output: 'json';
}>;

/** A real workspace in which hooks run. */
export class HookPlace {
  readonly #base = realpathSync(mkdtempSync(join(tmpdir(), 'countersign-hooks-')));
  readonly #lingering: Promise<void>[] = [];
  readonly workspace: string;

  constructor(name = 'ws') {
    this.workspace = join(this.#base, name);
    mkdirSync(this.workspace);
  }

  put(path: string, content: string): string {
    const full = join(this.workspace, path);
    mkdirSync(dirname(full), { recursive: true });
    writeFileSync(full, content, { mode: 0o755 });
    return full;
  }

  read(path: string): string {
    return readFileSync(join(this.workspace, path), 'utf8');
  }

  has(path: string): boolean {
    return existsSync(join(this.workspace, path));
  }

  /** A command that runs this source in Node. */
  node(name: string, source: string): string {
    this.put(name, source);
    return `'${process.execPath}' ${name}`;
  }

  context(hooks: readonly HookDefinition[], more: Partial<HookContext> = {}): HookContext {
    return {
      hooks,
      trusted: new Map(),
      sessionId: 'session-1',
      transcriptPath: join(this.#base, 'transcript.json'),
      workspace: this.workspace,
      plansDirectory: join(this.#base, 'plans'),
      environment: process.env,
      pass: [],
      signal: new AbortController().signal,
      lingering: (work) => this.#lingering.push(work),
      ...more,
    };
  }

  /** The hooks of these settings on this event. */
  async fire<E extends HookEvent>(
    event: E,
    payload: HookPayloads[E],
    settings: unknown,
    more: Partial<HookContext> = {},
  ): Promise<HookReport> {
    const { hooks, problems } = await readHooks(settings, 'user', 'settings.json');
    if (problems.length > 0) throw new Error(JSON.stringify(problems));
    return runHooks(event, payload, this.context(hooks, more));
  }

  /** These hooks before a call of `write_file`, all in one group. */
  before(
    hooks: readonly HookSetup[],
    { sequential = false, ...more }: Partial<HookContext> & { readonly sequential?: boolean } = {},
  ): Promise<HookReport> {
    const group = { sequential, hooks: hooks.map((hook) => ({ type: 'command', ...hook })) };
    return this.fire('BeforeTool', WRITE, { hooks: { BeforeTool: [group] } }, more);
  }

  /** After all that continues beyond the reports. */
  async settle(): Promise<void> {
    await Promise.all(this.#lingering);
  }

  async remove(): Promise<void> {
    await this.settle();
    rmSync(this.#base, { recursive: true, force: true });
  }
}

export const WRITE = { tool_name: 'write_file', tool_input: { file_path: 'a.txt', content: 'hi' } };

/** A command that prints this answer. */
export const saying = (answer: unknown): string => `echo '${JSON.stringify(answer)}'`;

/** Ten seconds on an idle machine, and more on a busy one. */
const GONE_LOOKS_MAX = 1_000;

/** Whether no process has this word among its arguments any more; one that was killed may take a moment to go. */
export async function isGone(word: string): Promise<boolean> {
  for (let round = 0; round < GONE_LOOKS_MAX && isRunning(word); round += 1) await delay(10);
  return !isRunning(word);
}

/** Whether any process has this word among its arguments. */
export const isRunning = (word: string): boolean =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .some((pid) => argumentsOf(pid).includes(word));

function argumentsOf(pid: string): readonly string[] {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
  } catch {
    return [];
  }
}
