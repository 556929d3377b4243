import { basename } from 'node:path';
import type { EditorType } from '../enums.js';

/** How to open an editor on a proposal and wait until it is closed. */
export type EditorCommand = {
  /** How it is named to people. */
  readonly name: string;
  readonly program: string;
  readonly args: readonly string[];
  /** In the terminal of this program, or in a window of its own. */
  readonly where: 'terminal' | 'window';
};

export type EditedFiles = {
  /** What the file holds now, only to look at. */
  readonly current: string;
  /** What it would hold: the file to edit. */
  readonly proposed: string;
};

/** The editor that was chosen; without one, what VISUAL or EDITOR says. Null if nothing says anything. */
export function editorCommand(
  editor: EditorType | undefined,
  files: EditedFiles,
  env: NodeJS.ProcessEnv,
): EditorCommand | null {
  if (editor !== undefined) return commandOf(editor, KNOWN[editor].program, files);
  const own = env['VISUAL']?.trim() || env['EDITOR']?.trim();
  if (!own) return null;
  const known = EDITORS.find((each) => KNOWN[each].program === basename(own));
  if (known !== undefined) return commandOf(known, own, files);
  // May hold arguments and quotes, and is the person's own: a shell reads it, as for git.
  return {
    name: own,
    program: '/bin/sh',
    args: ['-c', `${own} "$@"`, own, files.proposed],
    where: 'terminal',
  };
}

type Known = {
  readonly program: string;
  readonly where: EditorCommand['where'];
  /** With both files side by side where the editor can do that. */
  readonly args: (files: EditedFiles) => readonly string[];
};

const besides = ({ current, proposed }: EditedFiles) => ['--wait', '--diff', current, proposed];
// It opens on the left side, which is only to look at.
const vimLike = ({ current, proposed }: EditedFiles) => ['-d', '-c', 'wincmd w', current, proposed];

const KNOWN: { readonly [E in EditorType]: Known } = {
  vscode: { program: 'code', where: 'window', args: besides },
  vscodium: { program: 'codium', where: 'window', args: besides },
  cursor: { program: 'cursor', where: 'window', args: besides },
  windsurf: { program: 'windsurf', where: 'window', args: besides },
  zed: { program: 'zed', where: 'window', args: besides },
  vim: { program: 'vim', where: 'terminal', args: vimLike },
  neovim: { program: 'nvim', where: 'terminal', args: vimLike },
  emacs: {
    program: 'emacs',
    where: 'terminal',
    args: ({ current, proposed }) => ['--eval', `(ediff-files ${lispText(current)} ${lispText(proposed)})`],
  },
  hx: {
    program: 'hx',
    where: 'terminal',
    args: ({ current, proposed }) => ['--vsplit', '--', current, proposed],
  },
  nano: { program: 'nano', where: 'terminal', args: ({ proposed }) => [proposed] },
};
const EDITORS = [
  'vscode',
  'vscodium',
  'cursor',
  'windsurf',
  'zed',
  'vim',
  'neovim',
  'emacs',
  'hx',
  'nano',
] as const satisfies readonly EditorType[];

const commandOf = (editor: EditorType, program: string, files: EditedFiles): EditorCommand => ({
  name: program,
  program,
  args: KNOWN[editor].args(files),
  where: KNOWN[editor].where,
});

const lispText = (text: string): string => `"${text.replace(/[\\"]/g, '\\$&')}"`;
