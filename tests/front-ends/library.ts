import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Outcome } from '@countersign/protocol';
import { sqliteJournal } from '@countersign/store-sqlite';
import { onTestFinished } from 'vitest';
import { registerBuiltInTools } from '../../packages/sdk/src/built-in/built-in.js';
import { Config } from '../../packages/sdk/src/config/config.js';
import { Scheduler } from '../../packages/sdk/src/scheduler/core-tool-scheduler.js';
import { ToolRegistry } from '../../packages/sdk/src/tools/tool-registry.js';
import type { ToolCall, WaitingToolCall } from '../../packages/sdk/src/types/call-types.js';
import { type FrontEnd, type Shown, type Start, type StartFrontEnd, until } from './front-end.js';
import { needy } from './needy-tool.js';

type Asked = { readonly call: WaitingToolCall; readonly answer: (outcome: Outcome) => void };

/** A program that embeds the library, and answers in its `confirmHandler`. */
export const startLibrary: StartFrontEnd = async (start) => {
  mkdirSync(start.place.home, { recursive: true });
  return new Embedding(start);
};

class Embedding implements FrontEnd {
  readonly #asked: Asked[] = [];
  readonly #scheduler: Scheduler;
  readonly #ended: Promise<readonly ('done' | 'not done')[]>;
  #calls: readonly ToolCall[] = [];

  constructor({ place, batches }: Start) {
    const config = new Config({ targetDir: place.workspace });
    const toolRegistry = new ToolRegistry(config);
    registerBuiltInTools(toolRegistry, config);
    toolRegistry.registerTool(needy);
    this.#scheduler = new Scheduler({
      toolRegistry,
      config,
      journal: sqliteJournal(join(place.home, 'countersign.db')),
      onToolCallsUpdate: (calls) => {
        this.#calls = calls;
      },
      confirmHandler: (call) =>
        new Promise((resolve) => {
          this.#asked.push({ call, answer: resolve });
        }),
    });
    onTestFinished(() => this.#scheduler.dispose());
    this.#ended = this.#callAll(batches);
  }

  shown(): readonly Shown[] {
    return this.#asked.map(({ call }) => ({
      title: titleOf(call),
      digest: call.confirmationDetails.digest ?? null,
    }));
  }

  async waiting(): Promise<readonly string[]> {
    return this.#calls.flatMap((call) => (call.status === 'awaiting_approval' ? titleOf(call) : []));
  }

  async answer(title: string, outcome: Outcome): Promise<void> {
    const about = ({ call }: Asked) => titleOf(call).includes(title);
    (await until(() => this.#asked.findLast(about), `a question about ${title}`)).answer(outcome);
  }

  cancel(): Promise<void> {
    return this.#scheduler.cancelAll();
  }

  ended(): Promise<readonly ('done' | 'not done')[]> {
    return this.#ended;
  }

  async #callAll(batches: Start['batches']): Promise<readonly ('done' | 'not done')[]> {
    const ended: ('done' | 'not done')[] = [];
    for (const [turn, batch] of batches.entries()) {
      const requests = batch.map(({ name, args }, index) => ({
        callId: `call-${turn}-${index}`,
        name,
        args,
      }));
      const completed = await this.#scheduler.schedule(requests);
      ended.push(
        ...completed.map(({ status }) => (status === 'success' ? ('done' as const) : ('not done' as const))),
      );
    }
    return ended;
  }
}

const titleOf = ({ confirmationDetails: details, request }: WaitingToolCall): string =>
  'fileName' in details ? details.fileName : request.name;
