import type { Io } from '../io/io.js';
import type { OutputFormat } from './headless-options.js';
import { jsonOutput } from './json-output.js';
import type { Output } from './output.js';
import { streamOutput } from './stream-output.js';
import type { Tally } from './tally.js';
import { textOutput } from './text-output.js';

export function outputFor(format: OutputFormat, io: Io, tally: Tally): Output {
  switch (format) {
    case 'text':
      return textOutput(io, tally);
    case 'json':
      return jsonOutput(io, tally);
    case 'stream-json':
      return streamOutput(io, tally);
  }
}
