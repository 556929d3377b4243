import { dirname, join } from 'node:path';
import { type RunContext } from '@countersign/engine';
import {
  type HeldDirectory,
  insideDirectory,
  noteUnfinished,
  readWholeFile,
  shownPath,
  splitPath,
  temporaryName,
  writeAtomically,
  writeFailure,
} from '@countersign/host';
import { type Basis, type Plan, ToolFailure, type ToolResult } from '@countersign/protocol';
import { type FileChange, PRESENT_BYTES_MAX, seen } from './file-change.js';
import type { FileEdit } from './file-edit.js';
import { KEPT } from './kept-changes.js';
import { statInWords } from './plan-edit.js';

/** Writes exactly what was planned over exactly what was seen, or nothing. */
export async function runEdit(edit: FileEdit, context: RunContext): Promise<ToolResult> {
  const basis = basisOf(context.plan);
  const { parent, name } = splitPath(basis.path);
  const shown = shownPath(context.workspace, basis.path);
  try {
    return await insideDirectory(parent, basis.before === null ? 'create' : 'fail', (directory) =>
      write({ edit, basis, directory, name, shown }, context),
    );
  } catch (error) {
    throw writeFailure(error, shown);
  }
}

/** Notes of writes that are under way, in the directory where all sessions keep what calls leave. No session has this name. */
export const unfinishedIn = (outputs: string): string => join(outputs, '.unfinished');

function basisOf({ basis, title }: Plan): Basis {
  const [first] = basis;
  if (first === undefined) throw new Error(`the plan "${title}" has no basis`);
  return first;
}

type Writing = {
  readonly edit: FileEdit;
  readonly basis: Basis;
  readonly directory: HeldDirectory;
  readonly name: string;
  readonly shown: string;
};

async function write(
  { edit, basis, directory, name, shown }: Writing,
  { signal, sessionDirectory }: RunContext,
): Promise<ToolResult> {
  const file = await readWholeFile(directory, name, shown, PRESENT_BYTES_MAX);
  const present = file && seen(file.bytes);
  const stale = new ToolFailure({ code: 'stale_file', path: shown });
  if ((present?.hash ?? null) !== basis.before) throw stale;
  const change = KEPT.run(present, edit, shown);
  if (change.after.hash !== basis.after) throw stale;
  const changed = basis.after !== basis.before;
  if (changed) {
    const { bytes } = change.after;
    const temporary = temporaryName();
    const parent = splitPath(basis.path).parent;
    const finished = noteUnfinished(unfinishedIn(dirname(sessionDirectory)), join(parent, temporary));
    try {
      const present = file?.stats ?? null;
      await writeAtomically({ directory, name, temporaryName: temporary, bytes, present, shown, signal });
    } finally {
      finished();
    }
  }
  const { text, stat } = change.diff();
  return {
    llmContent: changed
      ? doneInWords(change)
      : `${shown} already has exactly this content. Nothing was written.`,
    returnDisplay: { fileName: name, filePath: basis.path, fileDiff: text, diffStat: stat },
  };
}

function doneInWords({ before, after, diff }: FileChange): string {
  if (before === null) return `${after.done}.`;
  const { done, kept, remarks } = after;
  const sentences = [
    `${done} (${statInWords(diff().stat)}).`,
    ...(kept.length === 0 ? [] : [`Kept from the file: ${kept.join(', ')}.`]),
  ];
  if (remarks.length === 0) return sentences.join(' ');
  // What was written differs from what was sent: the model should see it.
  return `${[...sentences, ...remarks].join(' ')}\n${diff().text}`;
}
