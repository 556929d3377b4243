import type {
  CreateElicitationResponse,
  ElicitationPropertySchema,
  ElicitationSchema,
} from '@agentclientprotocol/sdk';
import type { AnswerPayload, AskedQuestion, Json, Outcome } from '@countersign/protocol';

/** The questions of `ask_user` as a form; each answer goes by the number of its question. */
export const formFor = (questions: readonly AskedQuestion[]): ElicitationSchema => ({
  type: 'object',
  properties: Object.fromEntries(
    questions.map((question, index) => [String(index), fieldFor(question)] as const),
  ),
});

function fieldFor(asked: AskedQuestion): ElicitationPropertySchema {
  const { question: description, header: title, options = [] } = asked;
  switch (asked.type) {
    case 'yesno':
      return { type: 'boolean', title, description };
    case 'text':
      return { type: 'string', title, description };
    case 'choice': {
      const labels = options.map(({ label, description: meaning }) => ({
        const: label,
        title: meaning === '' ? label : `${label}: ${meaning}`,
      }));
      return asked.multiSelect === true
        ? { type: 'array', title, description, items: { anyOf: labels } }
        : { type: 'string', title, description, oneOf: labels };
    }
  }
}

/** The answer in a form that the user filled in. */
export function readForm(response: CreateElicitationResponse): {
  readonly outcome: Outcome;
  readonly payload?: AnswerPayload;
} {
  if (response.action === 'accept') {
    const answers = answersIn('content' in response ? response.content : null);
    return { outcome: 'proceed_once', payload: { answers } };
  }
  return response.action === 'cancel'
    ? { outcome: 'cancel', payload: { stop: true } }
    : { outcome: 'cancel' };
}

function answersIn(content: unknown): Json {
  if (typeof content !== 'object' || content === null) return {};
  return Object.fromEntries(
    Object.entries(content).flatMap(([name, answer]: [string, unknown]) =>
      isAnswer(answer) ? [[name, answer] as const] : [],
    ),
  );
}

const isAnswer = (value: unknown): value is string | boolean | string[] =>
  typeof value === 'string' ||
  typeof value === 'boolean' ||
  (Array.isArray(value) && value.every((each) => typeof each === 'string'));
