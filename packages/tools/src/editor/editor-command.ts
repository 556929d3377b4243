import { accessSync, constants } from 'node:fs';
import { basename, delimiter, join } from 'node:path';
import { orNull } from '@countersign/host';

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

/** The editor that was chosen; without one, the value of VISUAL or EDITOR. Null if none is set. */
export function editorCommand(
  editor: EditorName | undefined,
  files: EditedFiles,
  env: NodeJS.ProcessEnv,
): EditorCommand | null {
  if (editor !== undefined) return commandOf(editor, installed(KNOWN[editor].programs, env), files);
  const own = env['VISUAL']?.trim() || env['EDITOR']?.trim();
  if (!own) return null;
  const known = EDITORS.find((each) => KNOWN[each].programs.some((program) => program === basename(own)));
  if (known !== undefined) return commandOf(known, own, files);
  // May hold arguments and quotes, and is the person's own: a shell reads it, as for git, and makes way for the editor
  // where it can, so that what becomes of the shell is what becomes of the editor.
  const isOneCommand = !/[;&|<>()`\n]|^\w+=/.test(own);
  const script = `${isOneCommand ? 'exec ' : ''}${own} "$@"`;
  return { name: own, program: '/bin/sh', args: ['-c', script, own, files.proposed], where: 'terminal' };
}

type Known = {
  /** What it may be installed as, the usual name first. */
  readonly programs: readonly [string, ...string[]];
  readonly where: EditorCommand['where'];
  /** With both files side by side where the editor can do that. */
  readonly args: (files: EditedFiles) => readonly string[];
};

const beside = ({ current, proposed }: EditedFiles) => ['--wait', '--diff', current, proposed];
const alone = ({ proposed }: EditedFiles) => [proposed];
const aloneAndWait = ({ proposed }: EditedFiles) => ['--wait', proposed];
// It opens on the left side, which is only to look at.
const vimLike = ({ current, proposed }: EditedFiles) => ['-d', '-c', 'wincmd w', current, proposed];
const ediff = ({ current, proposed }: EditedFiles) => [
  '--eval',
  `(ediff-files ${lispText(current)} ${lispText(proposed)})`,
];

const KNOWN = {
  vscode: { programs: ['code'], where: 'window', args: beside },
  vscodium: { programs: ['codium'], where: 'window', args: beside },
  cursor: { programs: ['cursor'], where: 'window', args: beside },
  windsurf: { programs: ['windsurf'], where: 'window', args: beside },
  antigravity: { programs: ['antigravity', 'agy'], where: 'window', args: beside },
  zed: { programs: ['zed', 'zeditor'], where: 'window', args: beside },
  sublimetext: { programs: ['subl'], where: 'window', args: aloneAndWait },
  lapce: { programs: ['lapce'], where: 'window', args: aloneAndWait },
  nova: { programs: ['nova'], where: 'window', args: aloneAndWait },
  bbedit: {
    programs: ['bbdiff'],
    where: 'window',
    args: ({ current, proposed }) => ['--wait', current, proposed],
  },
  vim: { programs: ['vim'], where: 'terminal', args: vimLike },
  neovim: { programs: ['nvim'], where: 'terminal', args: vimLike },
  emacs: { programs: ['emacs'], where: 'terminal', args: ediff },
  emacsclient: {
    programs: ['emacsclient'],
    where: 'terminal',
    // An empty alternate starts the server where none runs.
    args: (files) => ['-t', '-a', '', ...ediff(files)],
  },
  hx: {
    programs: ['hx', 'helix'],
    where: 'terminal',
    args: ({ current, proposed }) => ['--vsplit', '--', current, proposed],
  },
  micro: { programs: ['micro'], where: 'terminal', args: alone },
  nano: { programs: ['nano'], where: 'terminal', args: alone },
} as const satisfies { readonly [name: string]: Known };

/** The editors that can be chosen by name. */
export type EditorName = keyof typeof KNOWN;
const isEditorName = (name: string): name is EditorName => Object.hasOwn(KNOWN, name);
export const EDITORS: readonly EditorName[] = Object.keys(KNOWN).filter(isEditorName);

const commandOf = (editor: EditorName, program: string, files: EditedFiles): EditorCommand => ({
  name: program,
  program,
  args: KNOWN[editor].args(files),
  where: KNOWN[editor].where,
});

/** The first of these that is on the path; if none is, its usual name, which then is what cannot be found. */
function installed(programs: Known['programs'], env: NodeJS.ProcessEnv): string {
  const directories = (env['PATH'] ?? '').split(delimiter);
  return (
    programs.find((program) => directories.some((each) => isProgram(join(each, program)))) ?? programs[0]
  );
}

const isProgram = (path: string): boolean => orNull(() => accessSync(path, constants.X_OK)) !== null;

const lispText = (text: string): string => `"${text.replace(/[\\"]/g, '\\$&')}"`;
