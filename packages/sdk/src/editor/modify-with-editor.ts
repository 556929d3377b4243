import { basename } from 'node:path';
import { unifiedDiff } from '@countersign/host';
import { editText } from '@countersign/tools';
import type { ModifyContext } from '../tools/modifiable-tool.js';
import type { EditorType } from '../types/enums.js';

/**
 * A proposal after a person edited it.
 *
 * @example
 * ```ts
 * const apply = ({ updatedParams, updatedDiff }: ModifyResult<{ content: string }>) => show(updatedParams, updatedDiff);
 * ```
 */
export type ModifyResult<TParams extends object> = {
  readonly updatedParams: TParams;
  /** From what the file holds now to what it would hold. */
  readonly updatedDiff: string;
};

/**
 * Opens a call's proposal for a file in an editor. Rejects with the reason if the editor is missing, fails or is ended;
 * nothing is changed then.
 *
 * @example
 * ```ts
 * const edit = (context: ModifyContext<{ content: string }>) =>
 *   modifyWithEditor({ content: 'as proposed' }, context, EditorType.Vim, signal);
 * ```
 */
export async function modifyWithEditor<TParams extends object>(
  originalParams: TParams,
  context: ModifyContext<TParams>,
  editor: EditorType | undefined,
  signal: AbortSignal,
  env: NodeJS.ProcessEnv = process.env,
): Promise<ModifyResult<TParams>> {
  const path = context.getFilePath(originalParams);
  const current = await context.getCurrentContent(originalParams);
  const proposed = await context.getProposedContent(originalParams);
  const edited = await editText({ fileName: basename(path), current, proposed, editor, signal, env });
  if (!edited.ok) throw new Error(edited.problem);
  return {
    updatedParams: edited.changed
      ? context.createUpdatedParams(current, edited.text, originalParams)
      : originalParams,
    updatedDiff: unifiedDiff(path, current, edited.text).text,
  };
}
