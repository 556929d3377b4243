import {
  chmodSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { EditorType } from '../enums.js';
import type { ModifyContext } from '../tools/modifiable-tool.js';
import { type EditedText, editText, type TextToEdit } from './edit-text.js';
import { editorCommand } from './editor-command.js';
import { modifyArguments, modifyWithEditor } from './modify-with-editor.js';

/** Where scripted editors are, and where they note what they were given. */
let bin: string;
/** Where temporary files are made. */
let scratch: string;
const usualScratch = process.env['TMPDIR'];
beforeEach(() => {
  bin = realpathSync(mkdtempSync(join(tmpdir(), 'countersign-bin-')));
  scratch = realpathSync(mkdtempSync(join(tmpdir(), 'countersign-scratch-')));
  process.env['TMPDIR'] = scratch;
});
afterEach(() => {
  if (usualScratch === undefined) delete process.env['TMPDIR'];
  else process.env['TMPDIR'] = usualScratch;
  rmSync(bin, { recursive: true });
  rmSync(scratch, { recursive: true });
});

/** An editor that is a small shell script; `$last` is the file to edit. */
function scripted(name: string, script: string): string {
  const path = join(bin, name);
  writeFileSync(path, `#!/bin/sh\nfor last; do :; done\nprintf '%s\\n' "$@" > ${bin}/args\n${script}\n`);
  chmodSync(path, 0o755);
  return path;
}
const argsGiven = () => readFileSync(join(bin, 'args'), 'utf8').trimEnd().split('\n');
const env = (variables: NodeJS.ProcessEnv = {}) => ({ PATH: `${bin}:/usr/bin:/bin`, ...variables });
const signal = new AbortController().signal;

const edit = (changes: Partial<TextToEdit> = {}): Promise<EditedText> =>
  editText({ fileName: 'a.ts', current: 'old\n', proposed: 'new\n', signal, env: env(), ...changes });

test('what a person saves in the editor of $VISUAL is what comes back, and nothing is left behind [A4]', async () => {
  const VISUAL = scripted(
    'my-editor',
    'ls -ld "$(dirname "$last")" "$last" > "$0.listing"; printf "mine\\n" >> "$last"',
  );
  expect(await edit({ env: env({ VISUAL, EDITOR: 'false' }) })).toEqual({
    ok: true,
    text: 'new\nmine\n',
    changed: true,
  });
  const [file = ''] = argsGiven();
  expect(file).toMatch(/proposed-a\.ts$/);
  expect(file.startsWith(scratch)).toBe(true);
  expect(readFileSync(`${VISUAL}.listing`, 'utf8')).toMatch(/^drwx------.*\n-rw-------/);
  expect(readdirSync(scratch)).toEqual([]);
});

test('$EDITOR is next, and both may hold arguments [A4]', async () => {
  scripted('other', 'printf "%s" "$1" > "$last"');
  expect(await edit({ env: env({ EDITOR: "other --wait 'two words'" }) })).toMatchObject({ text: '--wait' });
  expect(argsGiven().slice(0, 2)).toEqual(['--wait', 'two words']);
});

test('an editor with a diff view shows what is there beside what is proposed [A4]', async () => {
  scripted('vim', 'cat "$4" "$5" > "$0.seen"; printf "edited" > "$last"');
  expect(await edit({ editor: EditorType.Vim })).toEqual({ ok: true, text: 'edited', changed: true });
  expect(argsGiven()).toEqual([
    '-d',
    '-c',
    'wincmd w',
    expect.stringMatching(/current-a\.ts$/),
    expect.stringMatching(/proposed-a\.ts$/),
  ]);
  expect(readFileSync(join(bin, 'vim.seen'), 'utf8')).toBe('old\nnew\n');
  // Named by the variable it is the same editor.
  await edit({ env: env({ VISUAL: join(bin, 'vim') }) });
  expect(argsGiven()[0]).toBe('-d');
});

test('every editor is opened so that it is waited for, with both files where it can show them [A4]', () => {
  const files = { current: '/t/current-a"b', proposed: '/t/proposed' };
  const command = (editor: EditorType) => {
    const { program = '', args = [], where } = editorCommand(editor, files, {}) ?? {};
    return [where, program, ...args].join(' ');
  };
  for (const [editor, program] of [
    ['vscode', 'code'],
    ['vscodium', 'codium'],
    ['cursor', 'cursor'],
    ['windsurf', 'windsurf'],
    ['zed', 'zed'],
  ] as const)
    expect(command(editor)).toBe(`window ${program} --wait --diff /t/current-a"b /t/proposed`);
  expect(command('neovim')).toBe('terminal nvim -d -c wincmd w /t/current-a"b /t/proposed');
  expect(command('hx')).toBe('terminal hx --vsplit -- /t/current-a"b /t/proposed');
  expect(command('nano')).toBe('terminal nano /t/proposed');
  expect(command('emacs')).toBe('terminal emacs --eval (ediff-files "/t/current-a\\"b" "/t/proposed")');
});

test('nothing changed is said, also if the editor only ended the last line', async () => {
  scripted('nano', ':');
  expect(await edit({ editor: 'nano' })).toEqual({ ok: true, text: 'new\n', changed: false });
  scripted('nano', 'printf "\\n" >> "$last"');
  expect(await edit({ editor: 'nano', proposed: 'no end' })).toEqual({
    ok: true,
    text: 'no end',
    changed: false,
  });
  expect(await edit({ editor: 'nano' })).toEqual({ ok: true, text: 'new\n\n', changed: true });
});

test('text comes back byte for byte, whatever is in it', async () => {
  scripted('nano', 'cat "$last" > "$last.copy"; cat "$last.copy" "$last.copy" > "$last"');
  const proposed = '\ufeffäöü\r\n\u2028\0𝒳';
  expect(await edit({ editor: 'nano', proposed })).toEqual({
    ok: true,
    text: proposed + proposed,
    changed: true,
  });
});

test.each([
  ['that fails', 'printf "changed" > "$last"; exit 3', 'nano ended with code 3'],
  ['that is killed', 'printf "changed" > "$last"; kill -9 $$', 'nano was ended by SIGKILL'],
  ['that removes the file', 'rm "$last"', 'the edited text was removed'],
  ['that leaves no text', 'printf "\\377\\376" > "$last"', 'the edited text is not UTF-8'],
])('an editor %s leaves the proposal as it was, with the reason [A4]', async (_, script, problem) => {
  scripted('nano', script);
  expect(await edit({ editor: 'nano' })).toEqual({ ok: false, problem });
  expect(readdirSync(scratch)).toEqual([]);
});

test('a window editor that fails is quoted [A4]', async () => {
  scripted('code', 'echo "no display" >&2; exit 1');
  expect(await edit({ editor: 'vscode' })).toEqual({
    ok: false,
    problem: 'code ended with code 1 (no display)',
  });
});

test('an editor that is missing, or none at all, is said so [A4]', async () => {
  const missing = { ok: false, problem: expect.stringContaining('was not found; install it, or set VISUAL') };
  expect(await edit({ editor: 'cursor' })).toEqual(missing);
  expect(await edit({ env: env({ VISUAL: 'not-there --wait' }) })).toEqual(missing);
  writeFileSync(join(bin, 'zed'), 'not a program');
  expect(await edit({ editor: 'zed' })).toMatchObject({
    ok: false,
    problem: expect.stringContaining('zed could not be started'),
  });
  expect(await edit({ env: env({ VISUAL: ' ' }) })).toEqual({
    ok: false,
    problem: 'no editor is known; set VISUAL or EDITOR, or choose one in the settings',
  });
  expect(readdirSync(scratch)).toEqual([]);
});

test('cancelling closes the editor, even one that does not want to [L5]', async () => {
  // The shell that runs the script holds out; what it waits for does not.
  scripted('nano', 'trap "" TERM; touch "$0.open"; for i in $(seq 600); do sleep 0.05; done');
  const controller = new AbortController();
  const edited = edit({ editor: 'nano', signal: controller.signal });
  for (let waited = 0; waited < 2_000 && !readdirSync(bin).includes('nano.open'); waited += 1)
    await new Promise((resolve) => setTimeout(resolve, 5));
  controller.abort();
  expect(await edited).toEqual({ ok: false, problem: 'nano was closed, since the call was cancelled' });
  expect(await edit({ editor: 'nano', signal: controller.signal })).toMatchObject({ ok: false });
  expect(readdirSync(scratch)).toEqual([]);
});

test('a strange file name makes no strange file', async () => {
  scripted('nano', ':');
  await edit({ editor: 'nano', fileName: '../-x\n; rm -rf ~/"é.py' });
  expect(argsGiven()).toEqual([expect.stringMatching(/\/proposed-\.\._-x_rm_-rf_.py$/)]);
});

type Params = { readonly path: string; readonly content: string };
const context: ModifyContext<Params> = {
  getFilePath: ({ path }) => path,
  getCurrentContent: async () => 'old\n',
  getProposedContent: async ({ content }) => content,
  createUpdatedParams: (old, content, params) => ({ ...params, content: `${content}(was ${old.trim()})` }),
};

test('modifyWithEditor gives the parameters with what the person made of them, and the difference [A4] [E2]', async () => {
  scripted('vim', 'printf "mine\\n" > "$last"');
  const params = { path: 'src/a.ts', content: 'new\n' };
  expect(await modifyWithEditor(params, context, EditorType.Vim, signal, env())).toEqual({
    updatedParams: { path: 'src/a.ts', content: 'mine\n(was old)' },
    updatedDiff: '--- a/src/a.ts\n+++ b/src/a.ts\n@@ -1 +1 @@\n-old\n+mine\n',
  });
  scripted('vim', ':');
  expect((await modifyWithEditor(params, context, EditorType.Vim, signal, env())).updatedParams).toBe(params);
  scripted('vim', 'exit 1');
  await expect(modifyWithEditor(params, context, EditorType.Vim, signal, env())).rejects.toThrow(
    'vim ended with code 1',
  );
});

test('a tool without file content is modified by its arguments as JSON [A4]', async () => {
  const modify = () =>
    modifyArguments('deploy', { target: 'eu', n: 1 }, { editor: 'nano', signal, env: env() });
  scripted('nano', 'cp "$last" "$0.seen"; printf \'{"target":"us"}\' > "$last"');
  expect(await modify()).toEqual({ ok: true, args: { target: 'us' }, changed: true });
  expect(readFileSync(join(bin, 'nano.seen'), 'utf8')).toBe('{\n  "target": "eu",\n  "n": 1\n}\n');
  expect(argsGiven()[0]).toMatch(/proposed-deploy\.json$/);
  scripted('nano', ':');
  expect(await modify()).toEqual({ ok: true, args: { target: 'eu', n: 1 }, changed: false });
  scripted('nano', 'printf "{" > "$last"');
  expect(await modify()).toMatchObject({
    ok: false,
    problem: expect.stringContaining('the edited arguments are not JSON'),
  });
  scripted('nano', 'printf "[1]" > "$last"');
  expect(await modify()).toEqual({ ok: false, problem: 'the edited arguments are no object' });
});
