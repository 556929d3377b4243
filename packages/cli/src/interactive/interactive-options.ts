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
    /** Print plain lines and never redraw. */
    isPlain:
      values['screen-reader'] ?? (PLAIN_BY.some((name) => isSet(io.env[name])) || io.env['TERM'] === 'dumb'),
  };
}

/** Variables of screen readers and of programs that record output. */
const PLAIN_BY = ['COUNTERSIGN_SCREEN_READER', 'INK_SCREEN_READER', 'CI'];

const isSet = (value: string | undefined): boolean =>
  value !== undefined && !['', '0', 'false'].includes(value);
