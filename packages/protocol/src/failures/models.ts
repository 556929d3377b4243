import type { Entries } from './entry.js';

/** What can go wrong in a conversation with a model. `provider` is the name a person knows it by; no text ever holds a key. */
export type ModelFailure =
  | { readonly code: 'turn_limit'; readonly turnsMax: number }
  | { readonly code: 'budget_spent'; readonly what: 'tokens' | 'dollars'; readonly limit: number }
  | { readonly code: 'loop_detected'; readonly what: string }
  | { readonly code: 'empty_answer'; readonly said: string }
  /** `message` is what the provider adds to its word for it. */
  | { readonly code: 'answer_blocked'; readonly said: string; readonly message: string | null }
  | { readonly code: 'model_not_configured'; readonly problem: string; readonly fix: string }
  | { readonly code: 'model_unreachable'; readonly provider: string; readonly problem: string }
  /** `credential`: where the key came from, e.g. the variable to check; null if none was sent. */
  | {
      readonly code: 'model_refused';
      readonly provider: string;
      readonly status: number;
      readonly message: string;
      readonly credential: string | null;
    }
  /** `status` is null where no HTTP was spoken. */
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
  | {
      readonly code: 'model_nonsense';
      readonly provider: string;
      readonly problem: string;
      readonly excerpt: string;
    }
  | { readonly code: 'model_silent'; readonly provider: string; readonly afterMs: number };

export const MODEL_FAILURES: Entries<ModelFailure> = {
  turn_limit: {
    audience: 'person',
    transient: false,
    when: 'The model was asked as often as one prompt allows, and still wants to go on.',
    message: ({ turnsMax }) => `Stopped after ${turnsMax} turns of the model.`,
    hint: () => 'Nothing is lost. Say "go on" to let it continue, or raise the limit with --max-turns.',
  },
  budget_spent: {
    audience: 'person',
    transient: false,
    when: 'The tokens or the money set aside for the session are used up.',
    message: ({ what, limit }) => `Stopped: the budget of ${limit.toLocaleString('en')} ${what} is spent.`,
    hint: () => 'Nothing is lost. Continue the session with a larger budget.',
  },
  loop_detected: {
    audience: 'person',
    transient: false,
    when: 'The model repeats itself without getting anywhere.',
    message: ({ what }) => `Stopped, since the model goes round in circles: ${what}.`,
    hint: () => 'Tell it what to do differently, or say "go on" if that is as it should be.',
  },
  empty_answer: {
    audience: 'person',
    transient: false,
    when: 'The model gave neither words nor calls, also when asked again.',
    message: ({ said }) => `The model gave no answer (it says: ${said}).`,
    hint: () => 'Put the question in other words, or choose another model with -m.',
  },
  answer_blocked: {
    audience: 'person',
    transient: false,
    when: "The provider's own rules kept the model from answering, or from going on.",
    message: ({ said, message }) =>
      `The provider stopped the answer by its own rules (${said})${message === null ? '' : `: ${message}`}.`,
    hint: () => 'Put the question in other words, or choose another model with -m.',
  },
  model_not_configured: {
    audience: 'person',
    transient: false,
    when: 'No model was chosen, or the chosen one lacks its key.',
    message: ({ problem }) => problem,
    hint: ({ fix }) => fix,
  },
  model_unreachable: {
    audience: 'person',
    transient: true,
    when: 'No connection to the model could be made.',
    message: ({ provider, problem }) => `${provider} can not be reached: ${problem}.`,
    hint: () => 'Check the network and the address of the model, then try again. Nothing was answered.',
  },
  model_refused: {
    audience: 'person',
    transient: false,
    when: 'The provider does not accept the key, or the key may not use the model.',
    message: ({ provider, status, message }) => `${provider} refused access (HTTP ${status}): ${message}`,
    hint: ({ credential }) =>
      credential === null
        ? 'No key was sent. Set the one that this provider wants, then try again.'
        : `Check ${credential}: is the key right, still valid, and allowed to use this model?`,
  },
  model_rejected: {
    audience: 'person',
    transient: false,
    when: 'The provider took the request for wrong, or more than it allows.',
    message: ({ provider, status, message }) =>
      `${provider} rejected the request${status === null ? '' : ` (HTTP ${status})`}: ${message}`,
    hint: () =>
      'Trying again unchanged will not help. Correct what the message names, or choose another model.',
  },
  model_overloaded: {
    audience: 'person',
    transient: true,
    when: 'The provider is overloaded, failing, or wants fewer requests, also after some tries.',
    message: ({ provider, status, message }) =>
      `${provider} can not answer at the moment (HTTP ${status}): ${message}`,
    hint: ({ retryAfterMs }) =>
      `Try again ${retryAfterMs === null ? 'later' : `in ${Math.ceil(retryAfterMs / 1_000)} s`}, or choose another model.`,
  },
  model_cut_off: {
    audience: 'person',
    transient: true,
    when: "The model's answer broke off.",
    message: ({ provider, problem }) => `The answer of ${provider} broke off: ${problem}.`,
    hint: () => 'No call of the broken answer was run. Ask again.',
  },
  model_nonsense: {
    audience: 'person',
    transient: true,
    when: 'What came from the provider is not in the format of its wire.',
    message: ({ provider, problem, excerpt }) =>
      `${provider} sent something that can not be read: ${problem}.${excerpt === '' ? '' : ` It began: ${excerpt}`}`,
    hint: () =>
      'No call of this answer was run. If it happens again, check that the base URL is that of this kind of model.',
  },
  model_silent: {
    audience: 'person',
    transient: true,
    when: 'The provider sent nothing for longer than the limit.',
    message: ({ provider, afterMs }) =>
      `${provider} sent nothing for ${afterMs} ms, so the request was given up.`,
    hint: () => 'No call of this answer was run. Ask again, or choose another model.',
  },
};
