import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Client, createClient } from '@countersign/server/client';
import { must } from '../server/serving.js';
import { type FrontEnd, type Shown, type Start, type StartFrontEnd, until } from './front-end.js';

type Approval = Extract<
  Awaited<ReturnType<Client['listApprovals']>>,
  { ok: true }
>['value']['approvals'][number];

/** `countersign serve`, driven over HTTP by its typed client. */
export const startHttp: StartFrontEnd = async (start) => {
  const { place, policy } = start;
  const running = place.start(['serve', '--port', '0', ...(policy ? ['--policy', policy] : [])]);
  const url = await running.text(/http:\/\/[^/]+(?=\/#)/);
  const { tokens } = JSON.parse(readFileSync(join(place.home, 'server-tokens.json'), 'utf8'));
  const client = createClient({ url, token: tokens[0].token });
  const { sessionId } = must(await client.createSession({ body: {} }));
  return new OverHttp(client, sessionId, start.batches);
};

class OverHttp implements FrontEnd {
  readonly #client: Client;
  readonly #sessionId: string;
  readonly #shown = new Map<string, Shown>();
  readonly #watching: NodeJS.Timeout;
  readonly #ended: Promise<readonly ('done' | 'not done')[]>;

  constructor(client: Client, sessionId: string, batches: Start['batches']) {
    this.#client = client;
    this.#sessionId = sessionId;
    this.#watching = setInterval(() => void this.#look().catch(() => undefined), 20);
    this.#ended = this.#callAll(batches).finally(() => clearInterval(this.#watching));
  }

  shown(): readonly Shown[] {
    return [...this.#shown.values()];
  }

  async waiting(): Promise<readonly string[]> {
    return (await this.#look()).map(({ title }) => title);
  }

  async answer(title: string, outcome: Parameters<FrontEnd['answer']>[1]): Promise<void> {
    const approval = await until(
      async () => (await this.#look()).find((each) => each.title.includes(title)),
      `a question about ${title}`,
    );
    const { sessionId, callId, digest } = approval;
    must(await this.#client.answerApproval({ body: { sessionId, callId, digest, outcome } }));
  }

  async cancel(): Promise<void> {
    must(await this.#client.cancel({ sessionId: this.#sessionId, body: { target: { type: 'all' } } }));
  }

  ended(): Promise<readonly ('done' | 'not done')[]> {
    return this.#ended;
  }

  async #look(): Promise<readonly Approval[]> {
    const { approvals } = must(await this.#client.listApprovals({ sessionId: this.#sessionId }));
    for (const { callId, digest, title } of approvals)
      this.#shown.set(`${callId} ${digest}`, { title, digest });
    return approvals;
  }

  async #callAll(batches: Start['batches']): Promise<readonly ('done' | 'not done')[]> {
    const sessionId = this.#sessionId;
    const ended = new Map<string, 'done' | 'not done'>();
    for (const batch of batches) {
      const { callIds } = must(await this.#client.issueCalls({ sessionId, body: { calls: [...batch] } }));
      for (const callId of callIds) ended.set(callId, 'not done');
      await until(async () => {
        const { facts } = must(await this.#client.listFacts({ sessionId, limit: 200 }));
        for (const { event } of facts) if (event.type === 'call.succeeded') ended.set(event.callId, 'done');
        return facts.filter(({ event }) => event.type === 'turn.ended').length >= batches.indexOf(batch) + 1;
      }, 'the end of a batch');
    }
    return [...ended.values()];
  }
}
