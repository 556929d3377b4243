import { type Io, printJson } from '../io/io.js';
import { errorOf, type Output } from './output.js';
import type { Tally } from './tally.js';

/** One object at the end. */
export function jsonOutput(io: Io, tally: Tally): Output {
  let sessionId = '';
  let response = '';
  let isAnswerOver = false;
  const warnings: string[] = [];
  return {
    begin: (id) => {
      sessionId = id;
    },
    onEvent: (event) => {
      switch (event.type) {
        case 'content':
          // The response is the last text of the model, not the text between calls.
          response = isAnswerOver ? event.value : response + event.value;
          isAnswerOver = false;
          return;
        case 'finished':
          isAnswerOver = true;
          return;
        case 'notice':
          warnings.push(event.value);
          return;
        default:
      }
    },
    warn: (text) => void warnings.push(text),
    end: (ending, bill) =>
      printJson(io, {
        session_id: sessionId,
        response,
        stats: tally.stats(bill),
        ...errorOf(ending),
        ...(warnings.length > 0 && { warnings }),
      }),
  };
}
