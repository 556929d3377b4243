import { basename } from 'node:path';
import type { Tool } from '@countersign/engine';
import { isJsonObject } from '@countersign/host';
import type { AwaitingCall, Json, JsonObject } from '@countersign/protocol';
import { editText, type TextToEdit } from './edit-text.js';

/** The arguments a person made of a call, or why there are none: then the question is as it was. */
export type EditedArguments =
  | { readonly ok: true; readonly args: JsonObject; readonly changed: boolean }
  | { readonly ok: false; readonly problem: string };

/** What an editor needs to know of a waiting call. */
export type CallToEdit = {
  readonly request: Pick<AwaitingCall['request'], 'name' | 'args'>;
  readonly question: Pick<AwaitingCall['question'], 'confirmation'>;
};

export type Editing = Pick<TextToEdit, 'editor' | 'signal' | 'env' | 'onOpen'>;

/** Lets a person change a waiting call in their editor: the proposed content of a file, else the arguments as JSON. */
export async function editCall(
  { request, question }: CallToEdit,
  tool: Pick<Tool, 'withContent'> | undefined,
  editing: Editing,
): Promise<EditedArguments> {
  const { confirmation } = question;
  if (confirmation.type !== 'edit' || !tool?.withContent)
    return editArguments(request.name, request.args, editing);
  const edited = await editText({
    fileName: basename(confirmation.filePath),
    current: confirmation.originalContent ?? '',
    proposed: confirmation.newContent,
    ...editing,
  });
  if (!edited.ok) return edited;
  if (!edited.changed) return { ok: true, args: request.args, changed: false };
  try {
    const args = await tool.withContent(request.args, edited.text, confirmation.originalContent);
    return { ok: true, args, changed: true };
  } catch (thrown) {
    return { ok: false, problem: `${request.name} cannot take that content: ${wordsOf(thrown)}` };
  }
}

/** For tools that have no file content. */
export async function editArguments(
  toolName: string,
  args: JsonObject,
  editing: Editing,
): Promise<EditedArguments> {
  const text = `${JSON.stringify(args, null, 2)}\n`;
  const edited = await editText({
    fileName: `${toolName}.json`,
    current: text,
    proposed: text,
    ...editing,
  });
  if (!edited.ok) return edited;
  return edited.changed ? readObject(edited.text) : { ok: true, args, changed: false };
}

function readObject(text: string): EditedArguments {
  try {
    const args = JSON.parse(text) as Json;
    return isJsonObject(args)
      ? { ok: true, args, changed: true }
      : { ok: false, problem: 'the edited arguments are not an object' };
  } catch (thrown) {
    return { ok: false, problem: `the edited arguments are not JSON: ${wordsOf(thrown)}` };
  }
}

const wordsOf = (thrown: unknown): string => (thrown instanceof Error ? thrown.message : String(thrown));
