import {
  type AnswerPayload,
  type Command,
  canonicalJson,
  type JsonObject,
  type Outcome,
  type Question,
} from '@countersign/protocol';
import type { Consents } from '../world/consents.js';
import type { CallFacts, History } from '../world/history.js';
import type { Random } from '../world/random.js';
import { argsShownIn, type Spec } from '../world/tool-specs.js';

const NAMES = ['ann', 'bob', 'cat'] as const;

export type AnswerCommand = Extract<Command, { type: 'answer' }>;
type Seen = { readonly facts: CallFacts; readonly question: Question };

/** Those who answer. What they say goes into the consents before it is sent. */
export class People {
  readonly #random: Random;
  readonly #consents: Consents;
  readonly #sent: AnswerCommand[] = [];
  #count = 0;

  constructor(random: Random, consents: Consents) {
    this.#random = random;
    this.#consents = consents;
  }

  /** Anybody's name. */
  someone(): string {
    return this.#random.pick(NAMES);
  }

  /** A number that no call has used yet, so that what ran can be told from what was shown. */
  nextNumber(): number {
    return ++this.#count;
  }

  /** A question somebody looks at: mostly one that waits, sometimes one that is long over. */
  lookAt(history: History): Seen | undefined {
    const waiting = history.questions.filter(isWaiting);
    return this.#random.chance(0.85) && waiting.length > 0
      ? this.#random.pick(waiting)
      : this.#random.pick(history.questions);
  }

  /** Somebody says what they think of what they see. */
  answer({ facts, question }: Seen, firm?: Outcome): AnswerCommand {
    const random = this.#random;
    const offered = question.offers.map(({ outcome }) => outcome);
    const wished = firm ?? random.pick(offered) ?? 'cancel';
    const outcome = firm || random.chance(0.93) ? wished : 'proceed_always_server';
    const payload = firm ? {} : this.#payload(facts, question, outcome);
    const who = this.someone();
    const key = random.chance(0.7) ? `${who}-${this.nextNumber()}` : null;
    const { callId } = facts.request;
    const { digest, offers } = question;
    if (offered.includes(outcome)) {
      const args = argsMeant(question, payload);
      this.#consents.give({ who, callId, digest, outcome, key, args, offers, uses: payload.uses ?? null });
    }
    return this.#send({
      type: 'answer',
      callId,
      digest,
      outcome,
      payload,
      by: who,
      ...(key !== null && { key }),
    });
  }

  /** The same message once more: a client that retries, or one that was slow. */
  sayAgain(): AnswerCommand | undefined {
    return this.#random.pick(this.#sent);
  }

  /** Somebody answers what they were never shown. */
  forge(history: History): AnswerCommand | undefined {
    const target = this.#random.pick([...history.open.values()]);
    if (!target) return undefined;
    const other = this.#random.pick(history.questions)?.question.digest;
    const digest = other !== undefined && other !== target.question?.digest ? other : 'f'.repeat(64);
    const stolen = this.#random.pick(this.#sent)?.key;
    const { callId } = target.request;
    const forged = { type: 'answer', callId, digest, outcome: 'proceed_once', by: 'mallory' } as const;
    return stolen !== undefined && this.#random.chance(0.3) ? { ...forged, key: stolen } : forged;
  }

  /** Somebody changes the arguments of what they look at, without agreeing to anything. */
  modify({ facts, question }: Seen): Command {
    const args = this.#otherArgs(facts, question);
    return {
      type: 'modify',
      callId: facts.request.callId,
      digest: question.digest,
      args,
      by: this.someone(),
    };
  }

  argsFor(spec: Spec): JsonObject {
    return { n: this.nextNumber(), on: this.#random.pick(spec.things) };
  }

  #payload(facts: CallFacts, question: Question, outcome: Outcome): AnswerPayload {
    const random = this.#random;
    if (outcome === 'cancel') return random.chance(0.5) ? { feedback: 'not like this' } : {};
    if (outcome !== 'proceed_once') {
      return random.chance(0.6) ? { uses: 1 + random.below(3) } : {};
    }
    if (random.chance(0.15)) return { args: this.#otherArgs(facts, question) };
    return random.chance(0.1) ? { newContent: `text ${this.nextNumber()}` } : {};
  }

  #otherArgs(facts: CallFacts, question: Question): JsonObject {
    const shown = JSON.parse(argsShownIn(question.confirmation)) as JsonObject;
    const elsewhere =
      facts.spec && this.#random.chance(0.3) ? { on: this.#random.pick(facts.spec.things) } : {};
    return { ...shown, ...elsewhere, n: this.nextNumber() };
  }

  #send(command: AnswerCommand): AnswerCommand {
    this.#sent.push(command);
    return command;
  }
}

/** Whether a question is the one its call waits with. */
export const isWaiting = ({ facts, question }: Seen): boolean =>
  facts.question === question && !facts.answer && !facts.permit && !facts.end;

function argsMeant(question: Question, { args, newContent }: AnswerPayload): string {
  if (args) return canonicalJson(args);
  const shown = argsShownIn(question.confirmation);
  return newContent === undefined
    ? shown
    : canonicalJson({ ...(JSON.parse(shown) as JsonObject), text: newContent });
}
