import type { Client } from '@modelcontextprotocol/client';
import { overStdio } from '../mcp/served.js';
import {
  answerElsewhere,
  type FrontEnd,
  type Shown,
  type Start,
  type StartFrontEnd,
  until,
} from './front-end.js';

/** `countersign mcp serve`: another agent wants the calls, hears by progress that they wait, and cannot answer. */
export const startMcp: StartFrontEnd = async (start) => {
  const { place, policy } = start;
  const client = await overStdio(place, 'served', ...(policy ? ['--policy', policy] : []));
  const agent = new OtherAgent(client, start);
  return agent;
};

class OtherAgent implements FrontEnd {
  readonly #client: Client;
  readonly #start: Start;
  readonly #shown: Shown[] = [];
  readonly #stop = new AbortController();
  readonly #ended: Promise<readonly ('done' | 'not done')[]>;
  readonly #waiting = new Map<number, string>();

  constructor(client: Client, start: Start) {
    this.#client = client;
    this.#start = start;
    this.#ended = this.#callAll();
  }

  shown(): readonly Shown[] {
    return this.#shown;
  }

  async waiting(): Promise<readonly string[]> {
    return [...this.#waiting.values()];
  }

  async answer(title: string, outcome: Parameters<FrontEnd['answer']>[1]): Promise<void> {
    await until(() => this.#shown.some((each) => each.title.includes(title)), `a question about ${title}`);
    await answerElsewhere(this.#start.place, title, outcome);
  }

  async cancel(): Promise<void> {
    this.#stop.abort();
  }

  ended(): Promise<readonly ('done' | 'not done')[]> {
    return this.#ended;
  }

  async #callAll(): Promise<readonly ('done' | 'not done')[]> {
    const ended: ('done' | 'not done')[] = [];
    for (const batch of this.#start.batches)
      ended.push(...(await Promise.all(batch.map((each, index) => this.#call(each, index)))));
    return ended;
  }

  async #call({ name, args }: Start['batches'][number][number], index: number): Promise<'done' | 'not done'> {
    try {
      const { isError } = await this.#client.callTool(
        { name, arguments: args },
        { signal: this.#stop.signal, onprogress: ({ message = '' }) => this.#hear(index, message) },
      );
      return isError ? 'not done' : 'done';
    } catch {
      return 'not done';
    } finally {
      this.#waiting.delete(index);
    }
  }

  #hear(index: number, message: string): void {
    const title = /^Waiting for approval of \S+: (.*)$/s.exec(message)?.[1];
    if (title === undefined) this.#waiting.delete(index);
    else if (this.#waiting.get(index) !== title) {
      this.#waiting.set(index, title);
      this.#shown.push({ title, digest: null });
    }
  }
}
