import { type PlanContext, type PlanDraft } from '@countersign/engine';
import { fileNotFound, readFileAt, resolvePath, shownPath, splitPath } from '@countersign/host';
import { type Confirmation, type DiffStat, ToolFailure } from '@countersign/protocol';
import { type FileChange, PRESENT_BYTES_MAX, seen } from './file-change.js';
import type { FileEdit } from './file-edit.js';
import { KEPT } from './kept-changes.js';
import { runsAutomatically } from './runs-automatically.js';

/** Looks at the file, or at what earlier calls of the turn will leave of it, and plans the edit of that content. */
export async function planEdit(given: string, edit: FileEdit, context: PlanContext): Promise<PlanDraft> {
  const { workspace } = context;
  const path = await resolvePath(workspace, given);
  const shown = shownPath(workspace, path);
  const present =
    (await context.earlier(path)) ?? (await readFileAt(path, shown, PRESENT_BYTES_MAX))?.bytes ?? null;
  if (given.endsWith('/'))
    throw new ToolFailure({
      code: 'invalid_path',
      path: given,
      problem: 'it ends in "/", so it names a directory',
    });
  if (present === null && edit.missing === 'fail') throw await fileNotFound(path, workspace, 'near');
  const change = KEPT.plan(present && seen(present), edit, shown);
  const unread = present !== null && !context.wasRead(path) ? [UNREAD] : [];
  return draftOf({ path, shown, edit, change, notes: [...unread, ...change.after.remarks] });
}

const UNREAD = 'This session has not read this file.';

type PlannedEdit = {
  readonly path: string;
  readonly shown: string;
  readonly edit: FileEdit;
  readonly change: FileChange;
  readonly notes: readonly string[];
};

function draftOf({ path, shown, edit, change, notes }: PlannedEdit): PlanDraft {
  const { before, after } = change;
  const guarded =
    edit.guarded ?? runsAutomatically(splitPath(path).name, before?.text.text ?? null, after.text);
  const title = before === null ? `Write ${shown} (new file)` : `${edit.verb} ${shown}`;
  return {
    title,
    resources: [{ kind: 'fs.write', path, scope: 'file', ...(guarded !== null && { guarded }) }],
    repeat: 'unsafe',
    locations: [after.line === null ? { path } : { path, line: after.line }],
    basis: [{ path, before: before?.hash ?? null, after: after.hash }],
    // A copy: a change that the caller makes to it must not reach the file.
    leaves: (asked) => (asked === path ? Buffer.from(after.bytes) : null),
    get confirmation(): Confirmation {
      const { text, stat, omitted } = change.diff();
      const shownNotes = omitted === undefined ? notes : [omitted, ...notes];
      return {
        type: 'edit',
        title: before === null ? title : `${title} (${statInWords(stat)})`,
        fileName: splitPath(path).name,
        filePath: path,
        fileDiff: text,
        originalContent: before?.text.text ?? null,
        newContent: after.text,
        diffStat: stat,
        ...(shownNotes.length > 0 && { notes: shownNotes }),
      };
    },
  };
}

export const statInWords = ({ added, removed }: DiffStat): string => `+${added} −${removed}`;
