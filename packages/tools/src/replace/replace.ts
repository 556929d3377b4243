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
        'The text to replace, exactly as it is in the file, with enough surrounding lines to match only one place. Empty to create a file.',
      ),
    new_string: z
      .string()
      .describe('The replacement. Include every line; do not use placeholders for omitted lines.'),
    instruction: z.string().optional().describe('The purpose of the change, in one sentence.'),
    allow_multiple: z.boolean().optional().describe('Replace every occurrence.'),
    expected_replacements: z
      .int()
      .min(1)
      .optional()
      .describe('Replace exactly this many occurrences, and none if there are more or fewer. Default 1.'),
  });

type Arguments = z.output<ReturnType<typeof input>>;

/** One way to mention several places is enough for a model that knows it. */
const byCount = () => input().omit({ allow_multiple: true });
const byFlag = () => input().omit({ expected_replacements: true });

const HOW_MANY: ReadonlySet<string> = new Set(['allow_multiple', 'expected_replacements']);

export const replace: Tool = defineTool({
  name: 'replace',
  displayName: 'Edit file',
  description:
    'Replace text in a file. If old_string does not occur exactly, a match with other white space is tried, then one with up to 10 % different characters if only one place is that similar; the result mentions it. Encoding and line endings are kept.',
  kind: 'edit',
  whenStopped: 'throws',
  input,
  words: {
    'gemini-3': { input: byFlag },
    openai: { input: byFlag },
    anthropic: { input: byFlag },
    'default-legacy': {
      description:
        'Replace text in a file. Read the file first: old_string must be the exact text of the file, with its indentation and at least three lines around the change, so that it matches only one place. Encoding and line endings are kept.',
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
    parameters: [old_string, new_string, expected],
    rewrite: (present, shown) =>
      replaceText(present, { oldString: old_string, newString: new_string, expected }, shown),
  };
};
