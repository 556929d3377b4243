import { COMMAND_TOOL } from '@countersign/kernel';
import type { CallRequest, CommandAnalysis, JsonObject } from '@countersign/protocol';

/** Lines of open calls, and the latest of those that are over. */
const LINES_MAX = 512;

/**
 * Command lines, taken apart. Reading bash takes a grammar that most sessions
 * never need, so it is loaded with the first command; from then on judging a
 * line, which must not wait, finds it here.
 */
export class KnownCommands {
  readonly #known = new Map<string, CommandAnalysis>();

  readonly of = (line: string): CommandAnalysis | null => this.#known.get(line) ?? null;

  /** null if there is nothing to learn, or it is known. */
  learn({ name, args }: CallRequest): Promise<void> | null {
    const line = lineOf(name, args);
    if (line === null || this.#known.has(line)) return null;
    return analyzeLine(line).then((analysis) => {
      if (this.#known.size >= LINES_MAX) this.#forgetOldest();
      this.#known.set(line, analysis);
    });
  }

  #forgetOldest(): void {
    for (const line of this.#known.keys()) {
      this.#known.delete(line);
      return;
    }
  }
}

/** The command line of a call, if it has one. */
export function lineOf(tool: string, args: JsonObject): string | null {
  const line = tool === COMMAND_TOOL ? args['command'] : null;
  return typeof line === 'string' ? line : null;
}

export async function analyzeLine(line: string): Promise<CommandAnalysis> {
  const { analyzeCommand } = await import('@countersign/commands');
  return analyzeCommand(line);
}
