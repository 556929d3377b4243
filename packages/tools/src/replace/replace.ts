import type { Tool } from '@countersign/engine';
import * as z from 'zod';
import { defineTool } from '../define-tool/define-tool.js';
import { renamed } from '../define-tool/rename-args.js';
import type { FileEdit } from '../edit/file-edit.js';
import { planEdit } from '../edit/plan-edit.js';
import { runEdit } from '../edit/run-edit.js';
import { isWholeContent } from '../write-file/write-file.js';
import { replaceText } from './replace-text.js';

const input = () =>
  z.strictObject({
    file_path: z.string().describe('Path of the file, relative to the workspace or absolute.'),
    old_string: z
      .string()
      .describe(
        'The text to replace, exactly as it stands in the file, with enough lines around it to fit one place only. Empty to create a file.',
      ),
    new_string: z
      .string()
      .describe('What to put there. Every line of it: nothing may stand for lines left out.'),
    instruction: z.string().optional().describe('What the change is for, in a sentence.'),
    allow_multiple: z.boolean().optional().describe('Replace every occurrence, however many there are.'),
    expected_replacements: z
      .int()
      .min(1)
      .optional()
      .describe('Replace exactly so many occurrences, and none if there are more or fewer. 1 if left out.'),
  });

type Arguments = z.output<ReturnType<typeof input>>;

/** One way to speak of several places is enough for a model that knows it. */
const byCount = () => input().omit({ allow_multiple: true });
const byFlag = () => input().omit({ expected_replacements: true });

const HOW_MANY: ReadonlySet<string> = new Set(['allow_multiple', 'expected_replacements']);

export const replace: Tool = defineTool({
  name: 'replace',
  displayName: 'Edit file',
  description:
    'Replace a text in a file by another. If the text is not there exactly, other white space is allowed for, then up to 10 % different characters where only one place is that similar; the result says so. Encoding and line endings are kept.',
  kind: 'edit',
  input,
  words: {
    'gemini-3': { input: byFlag },
    openai: { input: byFlag },
    anthropic: { input: byFlag },
    'default-legacy': {
      description:
        'Replace a text in a file by another. Read the file first: old_string must be the text as it stands there, with its indentation and at least three lines around the change, so that it fits one place only. Encoding and line endings are kept.',
      input: byCount,
    },
  },
  aliases: [{ name: 'edit', when: (args) => !isWholeContent(args) }],
  renameArgs: (args) => renamed(args, { path: 'file_path' }),
  // A person's version of the whole file, as one replacement of all that they were shown.
  withContent: (args, content, original) => ({
    ...Object.fromEntries(Object.entries(args).filter(([name]) => !HOW_MANY.has(name))),
    old_string: original ?? '',
    new_string: content,
  }),
  plan: (args, context) => planEdit(args.file_path, replacing(args), context),
  run: (args, context) => runEdit(replacing(args), context),
});

const replacing = ({
  old_string,
  new_string,
  allow_multiple = false,
  expected_replacements,
}: Arguments): FileEdit => {
  const expected = expected_replacements ?? (allow_multiple ? null : 1);
  return {
    verb: 'Edit',
    missing: old_string === '' ? 'create' : 'fail',
    wish: [old_string, new_string, expected],
    rewrite: (present, shown) =>
      replaceText(present, { oldString: old_string, newString: new_string, expected }, shown),
  };
};
