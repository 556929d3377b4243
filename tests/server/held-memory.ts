import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Served } from './served.js';
import { until } from './serving.js';

const REPORT_EVERY_MS = 200;

/** Run inside the program before its own code: reports the memory that is in use once garbage is collected. */
const reporter = (path: string): string => `
  import { renameSync, writeFileSync } from 'node:fs';
  import { setFlagsFromString } from 'node:v8';
  import { runInNewContext } from 'node:vm';
  import { isMainThread } from 'node:worker_threads';
  setFlagsFromString('--expose-gc');
  const gc = runInNewContext('gc');
  const path = ${JSON.stringify(path)} + '.' + process.pid;
  const report = () => {
    gc();
    const { heapUsed, external } = process.memoryUsage();
    writeFileSync(path + '.new', String(heapUsed + external));
    renameSync(path + '.new', path);
  };
  if (isMainThread) setInterval(report, ${REPORT_EVERY_MS}).unref();
`;

/** What a server process holds, without garbage: how much of that there is depends on when it is collected. */
export class HeldMemory {
  readonly #served: Served;
  readonly #path: string;

  /** Before the server is started. */
  constructor(served: Served) {
    this.#served = served;
    this.#path = join(served.directory, 'held');
    const module = `data:text/javascript,${encodeURIComponent(reporter(this.#path))}`;
    served.environment = { ...served.environment, NODE_OPTIONS: `--import=${module}` };
  }

  /** As of the last report. */
  async bytes(): Promise<number> {
    const path = `${this.#path}.${this.#served.pid}`;
    await until(async () => existsSync(path));
    return Number(readFileSync(path, 'utf8'));
  }
}
