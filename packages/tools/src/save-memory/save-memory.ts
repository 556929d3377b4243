import { join } from 'node:path';
import type { Tool } from '@countersign/engine';
import * as z from 'zod';
import { defineTool } from '../define-tool/define-tool.js';
import type { FileEdit } from '../edit/file-edit.js';
import { planEdit } from '../edit/plan-edit.js';
import { runEdit } from '../edit/run-edit.js';
import { visibleOnly } from '../memory/invisible.js';
import { MEMORY_NAMES } from '../memory/memory-places.js';
import { MENTION } from '../memory/mention.js';
import { addFact } from './add-fact.js';

const FACT_CHARS_MAX = 2_000; // a fact, not a document: every later request carries it

const input = () =>
  z.strictObject({
    fact: z
      .string()
      .max(FACT_CHARS_MAX)
      .refine((fact) => oneLine(fact) !== '', { message: '"fact" must not be empty' })
      .describe('The fact to save: one self-contained statement.'),
    scope: z
      .enum(['global', 'project'])
      .optional()
      .describe(
        'global (default): for all work of this user. project: for this workspace, and stored in its files.',
      ),
  });

export type MemoryToWrite = {
  /** Where the user's own memory is kept: absolute, made if it is not there. */
  readonly userDirectory: string;
  /** Memory is added to the file of the first name. */
  readonly names?: readonly string[];
};

/** Remembering is an edit: it is shown as a difference, and what was shown is what is written. */
export function saveMemory({ userDirectory, names = MEMORY_NAMES }: MemoryToWrite): Tool {
  const [name = 'GEMINI.md'] = names;
  return defineTool({
    name: 'save_memory',
    displayName: 'Save memory',
    description:
      'Save a fact for later sessions. Only facts that the user asked to save, or lasting facts about the user or the project; never facts that apply only to the current task.',
    kind: 'edit',
    whenStopped: 'throws',
    input,
    plan: ({ fact, scope = 'global' }, context) =>
      planEdit(scope === 'global' ? join(userDirectory, name) : name, remembering(fact), context),
    run: ({ fact }, context) => runEdit(remembering(fact), context),
  });
}

function remembering(given: string): FileEdit {
  const fact = asItem(oneLine(given));
  return {
    verb: 'Remember in',
    guarded: 'saved facts influence every later response',
    missing: 'create',
    parameters: [fact],
    rewrite: (present, shown) => addFact(present, fact, shown),
  };
}

const oneLine = (fact: string): string =>
  visibleOnly(fact)
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim();

const BEGINS_A_BLOCK = /^(?:#{1,6}(?= |$)|>|[-*+](?= |$)|`{3}|~{3}|<[!?/a-z])/i;

/** A fact is words: it opens no heading, list, code or comment of its own, and has no file read whenever memory is. */
const asItem = (fact: string): string => fact.replace(BEGINS_A_BLOCK, '\\$&').replace(MENTION, '\\$&');
