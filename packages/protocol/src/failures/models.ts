import type { Entries } from './entry.js';

/** What can go wrong in a conversation with a model. `provider` is the name a person knows it by; no text ever holds a key. */
export type ModelFailure =
  | { readonly code: 'turn_limit'; readonly turnsMax: number }
  /** `answered`: the answer that exceeded the limit is complete. */
  | {
      readonly code: 'budget_spent';
      readonly what: 'tokens' | 'dollars';
      readonly limit: number;
      readonly answered?: true;
    }
  /** `because`: what would be needed to count against the limit. */
  | {
      readonly code: 'budget_unknown';
      readonly what: 'tokens' | 'dollars';
      readonly limit: number;
      readonly model: string;
      readonly because: 'no price' | 'no token count';
      readonly answered?: true;
    }
  | { readonly code: 'loop_detected'; readonly what: string }
  | { readonly code: 'empty_answer'; readonly said: string }
  /** `message` is what the provider adds to its word for it. */
  | { readonly code: 'answer_blocked'; readonly said: string; readonly message: string | null }
  | { readonly code: 'model_not_configured'; readonly problem: string; readonly fix: string }
  /** `refused`: no process listens at the address, which waiting does not change. `proxy`: the variable that names the proxy that failed. */
  | {
      readonly code: 'model_unreachable';
      readonly provider: string;
      readonly problem: string;
      readonly refused?: true;
      readonly proxy?: string;
    }
  /** `credential`: where the key came from, e.g. the variable to check; null if none was sent. */
  | {
      readonly code: 'model_refused';
      readonly provider: string;
      readonly status: number;
      readonly message: string;
      readonly credential: string | null;
    }
  /** `status` is null where no HTTP was used. */
  | {
      readonly code: 'model_rejected';
      readonly provider: string;
      readonly status: number | null;
      readonly message: string;
    }
  | {
      readonly code: 'model_overloaded';
      readonly provider: string;
      readonly status: number;
      readonly message: string;
      readonly retryAfterMs: number | null;
    }
  | { readonly code: 'model_cut_off'; readonly provider: string; readonly problem: string }
  /** `contentType`: it is a page for people, which a retry does not change. */
  | {
      readonly code: 'model_nonsense';
      readonly provider: string;
      readonly problem: string;
      readonly excerpt: string;
      readonly contentType?: string;
    }
  | { readonly code: 'model_silent'; readonly provider: string; readonly afterMs: number };

const endedBy = (answered: true | undefined): string =>
  answered ? 'The answer is complete, but' : 'Stopped:';

export const MODEL_FAILURES: Entries<ModelFailure> = {
  turn_limit: {
    audience: 'person',
    when: 'The model reached the limit of turns for one prompt.',
    message: ({ turnsMax }) => `Stopped after ${turnsMax} turns of the model.`,
    hint: () => 'Nothing is lost. Send "continue", or raise the limit with --max-turns.',
  },
  budget_spent: {
    audience: 'person',
    when: 'The token or cost budget of the session is used up.',
    message: ({ what, limit, answered }) =>
      `${endedBy(answered)} the budget of ${limit.toLocaleString('en')} ${what} is spent.`,
    hint: () => 'Nothing is lost. Continue the session with a larger budget.',
  },
  budget_unknown: {
    audience: 'person',
    when: 'A budget of tokens or dollars is set, and the usage of the model cannot be counted.',
    message: ({ what, limit, model, because, answered }) =>
      `${endedBy(answered)} the budget of ${limit.toLocaleString('en')} ${what} cannot be kept, because ${
        because === 'no price'
          ? `the price of ${model} is not known`
          : `${model} did not report how many tokens it used`
      }.`,
    hint: ({ because }) =>
      because === 'no price'
        ? 'Nothing is lost. Limit tokens with --max-tokens instead of dollars, or start a session with a model whose price is known (-m).'
        : 'Nothing is lost. Limit the requests with --max-turns instead, or start a session with another model (-m).',
  },
  loop_detected: {
    audience: 'person',
    when: 'The model repeats the same calls.',
    message: ({ what }) => `Stopped, because the model is in a loop: ${what}.`,
    hint: () => 'Send it other instructions, or "continue" if the repetition is intended.',
  },
  empty_answer: {
    audience: 'person',
    when: 'The model returned neither text nor calls, also after a retry.',
    message: ({ said }) => `The model returned an empty response (stop reason: ${said}).`,
    hint: () => 'Rephrase the prompt, or choose another model with -m.',
  },
  answer_blocked: {
    audience: 'person',
    when: "The provider's content rules stopped the response.",
    message: ({ said, message }) =>
      `The provider's content rules stopped the response (${said})${message === null ? '' : `: ${message}`}.`,
    hint: () => 'Rephrase the prompt, or choose another model with -m.',
  },
  model_not_configured: {
    audience: 'person',
    when: 'No model was chosen, or the chosen one lacks its key.',
    message: ({ problem }) => problem,
    hint: ({ fix }) => fix,
  },
  model_unreachable: {
    audience: 'person',
    transient: true,
    when: 'No connection to the model could be made.',
    message: ({ provider, problem }) => `${provider} cannot be reached: ${problem}.`,
    hint: ({ refused, proxy }) => {
      if (proxy !== undefined)
        return `Check ${proxy} and that the proxy runs, or list the host of the model in NO_PROXY, then try again.`;
      return refused
        ? 'Start the server of the model, or correct its address, then try again.'
        : 'Check the network and the address of the model, then try again.';
    },
  },
  model_refused: {
    audience: 'person',
    when: 'The provider does not accept the key, or the key may not use the model.',
    message: ({ provider, status, message }) => `${provider} refused access (HTTP ${status}): ${message}`,
    hint: ({ credential }) =>
      credential === null
        ? 'No key was sent. Set the key of this provider, then try again.'
        : `Check ${credential}: is the key right, still valid, and allowed to use this model?`,
  },
  model_rejected: {
    audience: 'person',
    when: 'The provider rejected the request as invalid or too large.',
    message: ({ provider, status, message }) =>
      `${provider} rejected the request${status === null ? '' : ` (HTTP ${status})`}: ${message}`,
    hint: () =>
      'A retry without changes will not help. Correct what the message names, or choose another model.',
  },
  model_overloaded: {
    audience: 'person',
    transient: true,
    when: 'The provider is overloaded, failing or rate limiting, also after retries.',
    message: ({ provider, status, message }) =>
      `${provider} cannot respond at the moment (HTTP ${status}): ${message}`,
    hint: ({ retryAfterMs }) =>
      `Try again ${retryAfterMs === null ? 'later' : `in ${Math.ceil(retryAfterMs / 1_000)} s`}, or choose another model.`,
  },
  model_cut_off: {
    audience: 'person',
    transient: true,
    when: "The model's response was cut off.",
    message: ({ provider, problem }) => `The response from ${provider} was cut off: ${problem}.`,
    hint: () => 'No call of the incomplete response was run. Send the prompt again.',
  },
  model_nonsense: {
    audience: 'person',
    transient: true,
    when: 'The response of the provider is not in the format of its API.',
    message: ({ provider, problem, excerpt }) =>
      `${provider} sent a response that cannot be read: ${problem}.${excerpt === '' ? '' : ` It began: ${excerpt}`}`,
    hint: ({ contentType }) =>
      contentType !== undefined
        ? 'Nothing was run. Check that the base URL is that of the API, and whether a proxy or the sign-in page of a network answers in its place.'
        : 'No call of this response was run. If it happens again, check that the base URL belongs to this kind of provider.',
  },
  model_silent: {
    audience: 'person',
    transient: true,
    when: 'The provider sent nothing for longer than the limit.',
    message: ({ provider, afterMs }) =>
      `${provider} sent nothing for ${afterMs} ms, so the request was cancelled.`,
    hint: () => 'No call of this response was run. Send the prompt again, or choose another model.',
  },
};
