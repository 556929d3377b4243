import { basename } from 'node:path';
import { unifiedDiff } from '@countersign/host';
import { editText } from '@countersign/tools';
import type { ModifyContext } from '../tools/modifiable-tool.js';
import type { EditorType } from '../types/enums.js';

/** What a person made of a proposal in their editor. */
export type ModifyResult<TParams extends object> = {
  readonly updatedParams: TParams;
  /** From what the file holds now to what it would hold. */
  readonly updatedDiff: string;
};

/**
 * Lets a person edit what a call proposes for a file. Rejects with the reason
 * if the editor is missing, fails or is ended: then nothing is changed.
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
