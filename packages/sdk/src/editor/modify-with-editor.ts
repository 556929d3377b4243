import { basename } from 'node:path';
import type { JsonObject } from '@countersign/protocol';
import { isJsonObject, unifiedDiff } from '@countersign/tools';
import type { EditorType } from '../enums.js';
import type { ModifyContext } from '../tools/modifiable-tool.js';
import { plainData } from '../tools/plain-data.js';
import { editText } from './edit-text.js';

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

export type ModifiedArguments =
  | { readonly ok: true; readonly args: JsonObject; readonly changed: boolean }
  | { readonly ok: false; readonly problem: string };

/** Lets a person edit the arguments of a call as JSON: for tools that have no file content. */
export async function modifyArguments(
  toolName: string,
  args: JsonObject,
  {
    editor,
    signal,
    env = process.env,
  }: {
    readonly editor: EditorType | undefined;
    readonly signal: AbortSignal;
    readonly env?: NodeJS.ProcessEnv;
  },
): Promise<ModifiedArguments> {
  const text = `${JSON.stringify(args, null, 2)}\n`;
  const edited = await editText({
    fileName: `${toolName}.json`,
    current: text,
    proposed: text,
    editor,
    signal,
    env,
  });
  if (!edited.ok || !edited.changed) return edited.ok ? { ok: true, args, changed: false } : edited;
  const read = readObject(edited.text);
  return typeof read === 'string' ? { ok: false, problem: read } : { ok: true, args: read, changed: true };
}

/** The arguments, or what is wrong with them. */
function readObject(text: string): JsonObject | string {
  try {
    const plain = plainData(JSON.parse(text));
    if (!plain.ok) return `the edited arguments can not be used: ${plain.problem}`;
    return isJsonObject(plain.value) ? plain.value : 'the edited arguments are no object';
  } catch (error) {
    return `the edited arguments are not JSON: ${error instanceof Error ? error.message : String(error)}`;
  }
}
