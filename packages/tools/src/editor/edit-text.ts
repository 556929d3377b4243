import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type EditorCommand, type EditorName, editorCommand } from './editor-command.js';
import { runEditor } from './run-editor.js';

export type TextToEdit = {
  /** The file's name, for the editor to know its language by. */
  readonly fileName: string;
  readonly current: string;
  readonly proposed: string;
  /** Absent: the value of VISUAL or EDITOR. */
  readonly editor?: EditorName | undefined;
  readonly signal: AbortSignal;
  /** Called before the editor opens, with where; the function that it returns is called when the editor is closed. */
  readonly onOpen?: (where: EditorCommand['where']) => () => void;
  readonly env?: NodeJS.ProcessEnv;
};

/** What the person made of it, or why there is nothing: then the proposal is as it was. */
export type EditedText =
  | { readonly ok: true; readonly text: string; readonly changed: boolean }
  | { readonly ok: false; readonly problem: string };

/** No front end can show a larger change. */
const TEXT_BYTES_MAX = 20_000_000;

/** Opens a person's editor on a proposal, beside what it would replace, and waits until it is closed. */
export async function editText(text: TextToEdit): Promise<EditedText> {
  let directory: string | undefined;
  try {
    // Private: mkdtemp creates a directory that only this user can enter.
    directory = await mkdtemp(join(tmpdir(), 'countersign-edit-'));
    return await editIn(directory, text);
  } catch (error) {
    const words = error instanceof Error ? error.message : String(error);
    return failed(`there is no directory for the file to edit: ${words}`);
  } finally {
    if (directory !== undefined) await rm(directory, { recursive: true, force: true });
  }
}

async function editIn(
  directory: string,
  { fileName, current, proposed, editor, signal, env = process.env, onOpen = () => () => {} }: TextToEdit,
): Promise<EditedText> {
  const name = safeName(fileName);
  const files = {
    current: join(directory, `current-${name}`),
    proposed: join(directory, `proposed-${name}`),
  };
  const command = editorCommand(editor, files, env);
  if (command === null)
    return failed('no editor is known; set VISUAL or EDITOR, or choose one in the settings');
  await writeFile(files.current, current, { mode: 0o400, flag: 'wx' });
  await writeFile(files.proposed, proposed, { mode: 0o600, flag: 'wx' });
  const onClose = onOpen(command.where);
  const problem = await runEditor(command, { env, signal }).finally(onClose);
  return problem === null ? readBack(files.proposed, proposed) : failed(problem);
}

const failed = (problem: string): EditedText => ({ ok: false, problem });

async function readBack(path: string, proposed: string): Promise<EditedText> {
  try {
    const { size } = await stat(path);
    if (size > TEXT_BYTES_MAX)
      return failed(`the edited text has ${size} bytes; the limit is ${TEXT_BYTES_MAX}`);
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(await readFile(path));
    return isSame(text, proposed)
      ? { ok: true, text: proposed, changed: false }
      : { ok: true, text, changed: true };
  } catch (error) {
    if (error instanceof TypeError) return failed('the edited text is not UTF-8');
    return failed('the edited file was removed');
  }
}

/** Many editors end the last line on saving: that alone is not a change. */
const isSame = (text: string, proposed: string): boolean =>
  text === proposed || (!proposed.endsWith('\n') && text === `${proposed}\n`);

const NAME_CHARS_MAX = 100; // with room for what is put before it

/** Only the end of a name matters to an editor; what could be taken for something else is omitted. */
const safeName = (fileName: string): string =>
  fileName.replace(/[^A-Za-z0-9._-]+/g, '_').slice(-NAME_CHARS_MAX) || 'text';
