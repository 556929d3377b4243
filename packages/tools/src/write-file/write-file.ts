import type { Tool } from '@countersign/engine';
import type { JsonObject } from '@countersign/protocol';
import * as z from 'zod';
import { defineTool } from '../define-tool/define-tool.js';
import { renamed } from '../define-tool/rename-args.js';
import type { FileEdit } from '../edit/file-edit.js';
import { newContent } from '../edit/new-content.js';
import { planEdit } from '../edit/plan-edit.js';
import { runEdit } from '../edit/run-edit.js';

const input = () =>
  z.strictObject({
    file_path: z.string().describe('Path of the file, relative to the workspace or absolute.'),
    content: z
      .string()
      .describe('The complete new content. Include every line; do not use placeholders for omitted lines.'),
  });

export const writeFile: Tool = defineTool({
  name: 'write_file',
  displayName: 'Write file',
  description:
    'Create a text file, or replace the whole content of one. Missing directories are created. An existing file keeps its encoding and line endings.',
  kind: 'edit',
  whenStopped: 'throws',
  input,
  aliases: [{ name: 'edit', when: isWholeContent }],
  renameArgs: (args) => renamed(args, { path: 'file_path', new_content: 'content' }),
  withContent: (args, content) => ({ ...args, content }),
  plan: ({ file_path, content }, context) => planEdit(file_path, writing(content), context),
  run: ({ content }, context) => runEdit(writing(content), context),
});

/** Which of the two tools `edit` means: the other one takes a part of a file. */
export function isWholeContent(args: JsonObject): boolean {
  return Object.hasOwn(args, 'new_content') && !Object.hasOwn(args, 'old_string');
}

const writing = (content: string): FileEdit => ({
  verb: 'Write',
  missing: 'create',
  parameters: [content],
  rewrite: (present, shown) => newContent(present, content, shown),
});
