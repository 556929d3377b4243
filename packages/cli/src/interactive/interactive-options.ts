import type { Io } from '../io/io.js';
import { AGENT_OPTIONS, readAgentOptions } from '../options/agent-options.js';
import { expectNoMore, readOptions } from '../options/options.js';

export type InteractiveOptions = ReturnType<typeof readInteractiveOptions>;

export function readInteractiveOptions(args: readonly string[], io: Io) {
  const { values, positionals } = readOptions('terminal', args, {
    ...AGENT_OPTIONS,
    'screen-reader': { type: 'boolean' },
  });
  expectNoMore('terminal', positionals);
  return {
    ...readAgentOptions(values, io),
    /** Plain lines, nothing is drawn over. */
    isPlain:
      values['screen-reader'] ?? (PLAIN_BY.some((name) => isSet(io.env[name])) || io.env['TERM'] === 'dumb'),
  };
}

/** A screen reader, or something that keeps what is printed: there, nothing must be drawn over. */
const PLAIN_BY = ['COUNTERSIGN_SCREEN_READER', 'INK_SCREEN_READER', 'CI'];

const isSet = (value: string | undefined): boolean =>
  value !== undefined && !['', '0', 'false'].includes(value);
