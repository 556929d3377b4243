import { needInWords } from '@countersign/protocol';
import { codeInWords } from '../confined-command/command-result.js';
import { confinedEnd } from '../confined-command/confined-end.js';
import { type Entry, type FoundOut, lookInto } from './registry.js';

/** How a background process is, in words: `running`, `ended with exit code 3`. */
export const stateOf = (entry: Entry): Promise<string> =>
  lookInto(entry, (found) => stateInWords(found, entry));

export function stateInWords(found: FoundOut, { stopped }: Entry): string {
  const why = stopped === undefined ? '' : ` (${stopped})`;
  switch (found.type) {
    case 'running':
      return 'running';
    case 'exited': {
      const lacked = confinedEnd(found.command, found.exit)?.lacked ?? null;
      const sandbox = lacked === null ? '' : `; the sandbox blocked ${needInWords(lacked)}`;
      return `ended with exit code ${codeInWords(found.exit)}${why}${sandbox}`;
    }
    case 'lost':
      return `gone: ${found.evidence}${why}`;
  }
}
