import type { Failure } from '@countersign/protocol';
import type { Answered } from './ask-model.js';

type Said = Extract<Answered, { type: 'said' }>;

/** What is wrong with an answer that has no calls. */
export type Misfire =
  /** Asking once more may bring a better one. */
  | { readonly type: 'ask again'; readonly message: string | null }
  | { readonly type: 'hopeless'; readonly failure: Failure }
  /** The person should know that there is more to it. */
  | { readonly type: 'cut short'; readonly notice: string };

/** Null if it is as it should be. */
export function misfireIn({ finish, holds }: Said): Misfire | null {
  const { reason, said, message } = finish;
  if (reason === 'malformed_call') {
    const why = message === null ? '' : ` ${message}`;
    return {
      type: 'ask again',
      message: `Your call could not be read (${said}).${why} Nothing was run. Send it again, as a function call with the declared name and arguments.`,
    };
  }
  if (holds === 'nothing') {
    // The same request would meet the same limit.
    if (reason === 'length') return { type: 'hopeless', failure: { code: 'empty_answer', said } };
    return { type: 'ask again', message: null };
  }
  if (reason === 'length')
    return {
      type: 'cut short',
      notice: `The response is incomplete: the model reached its output limit (${said}).`,
    };
  if (reason === 'other')
    return { type: 'cut short', notice: `The response may be incomplete: the model stopped with ${said}.` };
  return null;
}
