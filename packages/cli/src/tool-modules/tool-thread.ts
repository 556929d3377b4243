import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { MessageChannel, receiveMessageOnPort, Worker } from 'node:worker_threads';
import { MODEL_FAMILIES } from '@countersign/protocol';
import type {
  AnswerNow,
  AskedNow,
  AskNow,
  DeclaredTool,
  FromThread,
  ThreadData,
  ToThread,
} from './messages.js';

const LOAD_MS_MAX = 30_000; // a module that is not loaded by then never will be
const HEAP_MB_MAX = 512; // a tool that needs more belongs in a process of its own
const NOW_MS_MAX = 1_000; // nothing else continues meanwhile
const LOOK_EVERY_MS = 5;

export type ThreadListener = {
  readonly onMessage: (message: FromThread) => void;
  /** What a call wants to know at once. */
  readonly onQuestion: (asked: AskedNow) => unknown;
  /** It has ended; `why` continues after the name of the module. */
  readonly onEnd: (why: string) => void;
};

/** The thread that runs one module, from its start to its end. */
export class ToolThread {
  readonly #worker: Worker;
  readonly #listener: ThreadListener;
  readonly #answers = new MessageChannel();
  readonly #questions = new MessageChannel();
  readonly #answered = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  readonly #replied = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  #why: string | null = null;
  #asked = 0;
  #isOver = false;

  private constructor(file: string, listener: ThreadListener) {
    this.#listener = listener;
    const data: ThreadData = {
      file,
      families: MODEL_FAMILIES,
      answers: this.#answers.port2,
      answered: this.#answered,
      questions: this.#questions.port2,
      replied: this.#replied,
    };
    this.#worker = new Worker(workerFile(), {
      workerData: data,
      transferList: [this.#answers.port2, this.#questions.port2],
      resourceLimits: { maxOldGenerationSizeMb: HEAP_MB_MAX },
    });
    this.#questions.port1.on('message', (asked: AskedNow) => this.#reply(asked));
    this.#questions.port1.unref();
    this.#answers.port1.unref();
    this.#worker.on('error', (error: unknown) => {
      this.#why ??= reasonOf(error);
    });
    this.#worker.on('exit', (code) => this.#over(`called process.exit(${code})`));
  }

  /** Loads the module. Rejects with the reason if it cannot be used. */
  static async start(
    file: string,
    listener: ThreadListener,
  ): Promise<{ readonly thread: ToolThread; readonly tools: readonly DeclaredTool[] }> {
    let timer: NodeJS.Timeout | undefined;
    let onLoading: (message: FromThread) => void = () => {};
    let onEndLoading: (why: string) => void = () => {};
    const thread = new ToolThread(file, {
      ...listener,
      onEnd: (why) => {
        onEndLoading(why);
        listener.onEnd(why);
      },
    });
    try {
      const tools = await new Promise<readonly DeclaredTool[]>((resolve, reject) => {
        onEndLoading = (why) => reject(new Error(`it ${why} while it was loaded`));
        onLoading = (message) => {
          if (message.type === 'ready') resolve(message.tools);
          if (message.type === 'unusable') reject(new Error(message.problem));
        };
        thread.#worker.on('message', onLoading);
        const late = () => reject(new Error(`it did not finish loading within ${LOAD_MS_MAX} ms`));
        timer = setTimeout(late, LOAD_MS_MAX);
      });
      thread.#worker.off('message', onLoading);
      thread.#worker.on('message', listener.onMessage);
      thread.idle();
      return { thread, tools };
    } catch (error) {
      thread.end('could not be loaded');
      throw error;
    } finally {
      clearTimeout(timer);
    }
  }

  send(message: ToThread): void {
    this.#worker.postMessage(message);
  }

  /** While it works, the program does not end. */
  busy(): void {
    this.#worker.ref();
  }

  idle(): void {
    this.#worker.unref();
  }

  /** Stops it wherever it is, be it in an endless loop. */
  end(why: string): void {
    this.#why = why;
    void this.#worker.terminate();
    this.#over(why);
  }

  /** For functions that the engine calls without waiting. Throws if the tool does, or is busy for too long. */
  ask(tool: string, ask: AskNow): unknown {
    const id = (this.#asked += 1);
    const until = performance.now() + NOW_MS_MAX;
    Atomics.store(this.#answered, 0, 0);
    this.send({ type: 'now', id, tool, ask });
    while (performance.now() < until && !this.#isOver) {
      Atomics.wait(this.#answered, 0, 0, LOOK_EVERY_MS);
      // The thread itself may wait for us.
      const question: { readonly message: AskedNow } | undefined = receiveMessageOnPort(
        this.#questions.port1,
      );
      if (question) this.#reply(question.message);
      const answer: { readonly message: AnswerNow } | undefined = receiveMessageOnPort(this.#answers.port1);
      if (answer?.message.id !== id) continue;
      if (answer.message.ok) return answer.message.value;
      throw new Error(answer.message.message);
    }
    throw new Error(`${tool} did not answer within ${NOW_MS_MAX} ms (${ask.what}): its module is busy`);
  }

  #reply(asked: AskedNow): void {
    this.#questions.port1.postMessage({ value: this.#listener.onQuestion(asked) });
    Atomics.store(this.#replied, 0, 1);
    Atomics.notify(this.#replied, 0);
  }

  #over(why: string): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#questions.port1.close();
    this.#answers.port1.close();
    this.#listener.onEnd(this.#why ?? why);
  }
}

function reasonOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : null;
  if (code === 'ERR_WORKER_OUT_OF_MEMORY')
    return `used more than ${HEAP_MB_MAX} MB of memory and was stopped`;
  const words = error instanceof Error ? error.message || error.name : String(error);
  return `failed outside of any call that it awaits, by an uncaught exception or an unhandled rejection: ${words}`;
}

/** Beside the bundled program, or from its source. */
function workerFile(): string {
  const places = ['../bin/tool-worker.js', '../../bin/tool-worker.js'];
  const files = places.map((place) => fileURLToPath(new URL(place, import.meta.url)));
  const found = files.find((file) => existsSync(file));
  if (found === undefined) throw new Error(`${files[0]} is missing: was the program installed in part?`);
  return found;
}
