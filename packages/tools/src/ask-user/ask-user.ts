import type { Tool } from '@countersign/engine';
import { onOneLine } from '@countersign/host';
import type { AskedQuestion } from '@countersign/protocol';
import * as z from 'zod';
import { defineTool } from '../define-tool/define-tool.js';
import { readAnswers } from './read-answers.js';

const said = (what: string) =>
  z.string().refine((text) => text.trim() !== '', { message: `a "${what}" must not be empty` });

const option = () =>
  z.strictObject({
    label: said('label').describe('The answer, in one to five words.'),
    description: z.string().describe('What this choice means.'),
  });

const question = () =>
  z
    .strictObject({
      question: said('question').describe('The full question.'),
      header: said('header').describe('One or two words that name it.'),
      type: z.enum(['choice', 'text', 'yesno']),
      options: z
        .array(option())
        .max(4)
        .optional()
        .describe('For type choice: 2 to 4 answers. The user can always answer with other text.'),
      multiSelect: z.boolean().optional().describe('For type choice: whether several options may be chosen.'),
      placeholder: z.string().optional().describe('For type text: an example of an answer.'),
    })
    .superRefine(({ type, header, options = [] }, context) => {
      if (type !== 'choice') return;
      if (options.length < 2)
        context.addIssue(`the question "${header}" is a choice and needs 2 to 4 "options"`);
      const labels = options.map(({ label }) => label.trim().toLowerCase());
      if (new Set(labels).size < labels.length)
        context.addIssue(`two "options" of "${header}" have the same label`);
    });
type Question = z.output<ReturnType<typeof question>>;

export const askUser: Tool = defineTool({
  name: 'ask_user',
  displayName: 'Ask user',
  description:
    'Ask the user up to four questions and wait for the answers. Use it for decisions that only the user can make; not for permission, which is requested automatically.',
  kind: 'communicate',
  input: () => z.strictObject({ questions: z.array(question()).min(1).max(4) }),
  plan: ({ questions }, { asker }) => {
    const headers = questions.map(({ header }) => onOneLine(header.trim())).join(', ');
    const many = questions.length === 1 ? 'Question' : 'Questions';
    const title = asker === undefined ? `Ask: ${headers}` : `${many} from ${asker}`;
    return {
      title,
      resources: [],
      repeat: 'safe',
      byDefault: 'ask_user',
      confirmation: { type: 'ask_user', title, questions: questions.map(asked) },
    };
  },
  run: ({ questions }, { answers }) => {
    const read = readAnswers(questions.map(asked), answers);
    return {
      llmContent: read
        .map(({ question: text, answer }) => `Question: ${text}\nAnswer: ${answer}`)
        .join('\n\n'),
      returnDisplay: read.map(({ header, answer }) => `${header}: ${answer}`).join('\n'),
    };
  },
});

/** Without what has no meaning for its type: it would only be shown. */
function asked({ question: text, header, type, options, multiSelect, placeholder }: Question): AskedQuestion {
  const common = { question: text, header: header.trim(), type };
  if (type === 'choice' && options)
    return {
      ...common,
      options: options.map(({ label, description }) => ({ label: label.trim(), description })),
      ...(multiSelect !== undefined && { multiSelect }),
    };
  return type === 'text' && placeholder !== undefined ? { ...common, placeholder } : common;
}
