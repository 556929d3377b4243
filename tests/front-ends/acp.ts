import type { RequestPermissionRequest } from '@agentclientprotocol/sdk';
import { onTestFinished } from 'vitest';
import { DONE, TestEditor, wants } from '../acp/editor.js';
import { type FrontEnd, type Shown, type StartFrontEnd, until } from './front-end.js';

type Asked = {
  readonly request: RequestPermissionRequest;
  answer: (optionId: string) => void;
  isOpen: boolean;
};

/** `countersign acp` with the official client as the editor. */
export const startAcp: StartFrontEnd = async ({ place, batches, policy }) => {
  const asked: Asked[] = [];
  const editor = new TestEditor(place, {
    model: [...batches.map((batch) => batch.map(({ name, args }) => wants(name, args))), DONE],
    args: policy ? ['--policy', policy] : [],
    choose: (request, signal) =>
      new Promise((resolve) => {
        const one: Asked = { request, answer: resolve, isOpen: true };
        signal.addEventListener('abort', () => {
          one.isOpen = false;
        });
        asked.push(one);
      }),
  });
  onTestFinished(() => editor.kill());
  await editor.initialize();
  const { sessionId } = await editor.newSession();
  const prompted = editor.prompt(sessionId);
  return new InEditor(editor, sessionId, prompted, asked);
};

class InEditor implements FrontEnd {
  readonly #editor: TestEditor;
  readonly #sessionId: string;
  readonly #prompted: Promise<unknown>;
  readonly #asked: readonly Asked[];

  constructor(editor: TestEditor, sessionId: string, prompted: Promise<unknown>, asked: readonly Asked[]) {
    this.#editor = editor;
    this.#sessionId = sessionId;
    this.#prompted = prompted;
    this.#asked = asked;
  }

  shown(): readonly Shown[] {
    return this.#asked.map(({ request }) => ({ title: titleOf(request), digest: null }));
  }

  async waiting(): Promise<readonly string[]> {
    return this.#asked.flatMap(({ request, isOpen }) => (isOpen ? titleOf(request) : []));
  }

  async answer(title: string, outcome: string): Promise<void> {
    const about = ({ request, isOpen }: Asked) => isOpen && titleOf(request).includes(title);
    const one = await until(() => this.#asked.find(about), `a question about ${title}`);
    one.isOpen = false;
    one.answer(outcome);
  }

  cancel(): Promise<void> {
    return this.#editor.cancel(this.#sessionId);
  }

  async ended(): Promise<readonly ('done' | 'not done')[]> {
    await this.#prompted;
    const calls = this.#editor.calls();
    await this.#editor.until(
      () => calls.every(({ status }) => status === 'completed' || status === 'failed'),
      'the end of the calls',
    );
    return this.#editor.calls().map(({ status }) => (status === 'completed' ? 'done' : 'not done'));
  }
}

const titleOf = ({ toolCall }: RequestPermissionRequest): string => toolCall.title ?? '';
