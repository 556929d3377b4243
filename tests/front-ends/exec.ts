import type { Line, Running } from '../cli/program.js';
import { type FrontEnd, type Shown, type StartFrontEnd, until, type Wanted } from './front-end.js';

/** `countersign exec`, asked over stdio. */
export const startExec: StartFrontEnd = async ({ place, batches, policy }) => {
  const running = place.start(['exec', '--approvals', 'stdio', ...(policy ? ['--policy', policy] : [])]);
  const driven = new OverStdio(running, isResult);
  void sayAll(running, batches, driven);
  return driven;
};

async function sayAll(running: Running, batches: readonly (readonly Wanted[])[], { results }: OverStdio) {
  let wanted = 0;
  for (const batch of batches) {
    running.say(batch);
    wanted += batch.length;
    await until(() => results().length >= wanted, 'the results of a batch');
  }
  running.end();
}

const isResult = (line: Line): boolean => line['type'] === undefined && 'status' in line;

/** A program that prints its questions as lines, and takes answers as lines. */
export class OverStdio implements FrontEnd {
  readonly #running: Running;
  readonly #isResult: (line: Line) => boolean;

  constructor(running: Running, isOneResult: (line: Line) => boolean) {
    this.#running = running;
    this.#isResult = isOneResult;
  }

  readonly results = (): readonly Line[] => this.#running.lines.filter(this.#isResult);

  get #approvals(): readonly Line[] {
    return this.#running.lines.filter(({ type }) => type === 'approval');
  }

  shown(): readonly Shown[] {
    return this.#approvals.map(({ title, digest }) => ({ title: String(title), digest: String(digest) }));
  }

  /** Over stdio a question is withdrawn by the result of its call, or by another question about it. */
  async waiting(): Promise<readonly string[]> {
    const ended = this.results().map((line) => line['callId'] ?? line['tool_id']);
    const latest = new Map(this.#approvals.map(({ id, title }) => [id, String(title)]));
    for (const id of ended) latest.delete(id);
    return [...latest.values()];
  }

  async answer(title: string, outcome: string): Promise<void> {
    const about = (line: Line) => String(line['title']).includes(title);
    const approval = await until(() => this.#approvals.findLast(about), `a question about ${title}`);
    this.#running.answer(approval, outcome);
    await this.#running.line({ type: 'ack', id: approval['id'], ok: true });
  }

  async cancel(): Promise<void> {
    this.#running.signal('SIGINT');
  }

  async ended(): Promise<readonly ('done' | 'not done')[]> {
    await this.#running.ended();
    // Headless prints them as they end, with ids in the order in which they were wanted.
    const idOf = (line: Line) => String(line['tool_id'] ?? '');
    return this.results()
      .toSorted((one, other) => (idOf(one) < idOf(other) ? -1 : idOf(one) > idOf(other) ? 1 : 0))
      .map(({ status }) => (status === 'success' ? 'done' : 'not done'));
  }
}
