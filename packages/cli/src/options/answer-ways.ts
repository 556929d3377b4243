import { type Choice, choicesOf, visibleLine } from '@countersign/display';
import { shellWord } from '@countersign/kernel';
import type { Question } from '@countersign/protocol';

/** One way to answer a question with `approvals answer ID …`: the words that follow the id, and their meaning. */
type Way = { readonly words: string; readonly meaning?: string };

/** Everything that the command can answer to this question, and nothing else. */
export function answerWays(question: Question): readonly string[] {
  const ways = choicesOf(question).flatMap((choice) => wayOf(choice, question));
  const lines = ways.map(({ words, meaning }) => `${words}${meaning ? `: ${visibleLine(meaning)}` : ''}`);
  return [...lines, ...limitsOf(question)];
}

/** The words that agree to a question, or decline it where no agreement is possible. */
export const agreeingWords = (question: Question): string =>
  choicesOf(question).flatMap((choice) => wayOf(choice, question))[0]?.words ?? 'cancel';

function wayOf(choice: Choice, { confirmation, offers }: Question): readonly Way[] {
  const { outcome } = choice;
  switch (choice.type) {
    case 'allow once':
      return [{ words: outcome }];
    case 'reply':
      return [{ words: `${outcome} --answer ${shellWord(visibleLine(choice.label))}` }];
    case 'fill in a form': {
      const questions = confirmation.type === 'ask_user' ? confirmation.questions : [];
      const words = `${outcome}${' --answer TEXT'.repeat(questions.length)}`;
      return [{ words, meaning: questions.map(({ header }) => header).join(', ') }];
    }
    case 'agree':
      return choice.mode === 'manual'
        ? [{ words: outcome, meaning: 'ask about each change' }]
        : [{ words: `${outcome} --mode ${choice.mode}`, meaning: 'allow edits in the workspace' }];
    case 'allow always':
      if (choice.ways.length === 0) return [{ words: outcome }];
      return choice.ways.map(({ outcome: given, payload, text }) => ({
        words: payload?.scope === undefined ? given : `${given} --scope ${payload.scope}`,
        meaning: text,
      }));
    case 'edit':
      // Agreement to other arguments needs no second answer, where agreement is on offer.
      return offers.some((offer) => offer.outcome === 'proceed_once')
        ? [{ words: 'proceed_once --args JSON', meaning: 'with these arguments instead' }]
        : [{ words: `${outcome} --args JSON`, meaning: 'ask about these arguments instead' }];
    case 'decline':
      return [{ words: `${outcome} [--feedback TEXT]` }];
    case 'stop':
      return [{ words: `${outcome} --stop`, meaning: 'decline, and stop the agent' }];
  }
}

/** How an "always" is limited or widened. */
function limitsOf({ offers }: Question): readonly string[] {
  if (!offers.some(({ grant }) => grant)) return [];
  const scopes = new Set(offers.flatMap(({ grant }) => grant?.scopes ?? []));
  const scope = scopes.size > 0 ? `--scope ${[...scopes].join(' | ')}, ` : '';
  return [`proceed_always…, each also with: ${scope}--expires 2h, --uses 3`];
}
