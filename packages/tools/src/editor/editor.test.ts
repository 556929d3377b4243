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
import type { Tool } from '@countersign/engine';
import type { Confirmation, JsonObject } from '@countersign/protocol';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { editArguments, editCall } from './edit-call.js';
import { type EditedText, editText, type TextToEdit } from './edit-text.js';
import { EDITORS, type EditorName, editorCommand } from './editor-command.js';

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
  expect(await edit({ editor: 'vim' })).toEqual({ ok: true, text: 'edited', changed: true });
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
  const command = (editor: EditorName) => {
    const { program = '', args = [], where } = editorCommand(editor, files, {}) ?? {};
    return [where, program, ...args].join(' ');
  };
  const both = '/t/current-a"b /t/proposed';
  const ediff = '--eval (ediff-files "/t/current-a\\"b" "/t/proposed")';
  expect(Object.fromEntries(EDITORS.map((editor) => [editor, command(editor)]))).toEqual({
    vscode: `window code --wait --diff ${both}`,
    vscodium: `window codium --wait --diff ${both}`,
    cursor: `window cursor --wait --diff ${both}`,
    windsurf: `window windsurf --wait --diff ${both}`,
    antigravity: `window antigravity --wait --diff ${both}`,
    zed: `window zed --wait --diff ${both}`,
    sublimetext: 'window subl --wait /t/proposed',
    lapce: 'window lapce --wait /t/proposed',
    nova: 'window nova --wait /t/proposed',
    bbedit: `window bbdiff --wait ${both}`,
    vim: `terminal vim -d -c wincmd w ${both}`,
    neovim: `terminal nvim -d -c wincmd w ${both}`,
    emacs: `terminal emacs ${ediff}`,
    emacsclient: `terminal emacsclient -t -a  ${ediff}`,
    hx: `terminal hx --vsplit -- ${both}`,
    micro: 'terminal micro /t/proposed',
    nano: 'terminal nano /t/proposed',
  });
});

test('an editor is found under the other name that some systems install it as [A4]', async () => {
  scripted('zeditor', 'printf "edited" > "$last"');
  expect(await edit({ editor: 'zed' })).toMatchObject({ ok: true, text: 'edited' });
  expect(argsGiven().slice(0, 2)).toEqual(['--wait', '--diff']);
  await edit({ env: env({ VISUAL: 'zeditor' }) });
  expect(argsGiven().slice(0, 2)).toEqual(['--wait', '--diff']);
});

test('an unchanged text is reported as unchanged, also if the editor only ended the last line', async () => {
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
  ['that is killed', 'printf "changed" > "$last"; kill -9 $$', 'nano was terminated by SIGKILL'],
  ['that removes the file', 'rm "$last"', 'the edited file was removed'],
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

test('a missing editor, or none at all, is reported [A4]', async () => {
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
  expect(await edited).toEqual({ ok: false, problem: 'nano was closed, because the call was cancelled' });
  expect(await edit({ editor: 'nano', signal: controller.signal })).toMatchObject({ ok: false });
  expect(readdirSync(scratch)).toEqual([]);
});

test('where no file can be made, the proposal is as it was, with the reason [A4]', async () => {
  process.env['TMPDIR'] = join(scratch, 'missing');
  expect(await edit({ editor: 'nano' })).toEqual({
    ok: false,
    problem: expect.stringContaining('there is no directory for the file to edit: ENOENT'),
  });
});

test('a line of shell in $VISUAL is read as one [A4]', async () => {
  scripted('other', 'printf "%s" "$GREETING" > "$last"');
  expect(await edit({ env: env({ VISUAL: 'GREETING=hello other' }) })).toMatchObject({ text: 'hello' });
});

test('a strange file name makes no strange file', async () => {
  scripted('nano', ':');
  await edit({ editor: 'nano', fileName: '../-x\n; rm -rf ~/"é.py' });
  expect(argsGiven()).toEqual([expect.stringMatching(/\/proposed-\.\._-x_rm_-rf_.py$/)]);
});

test('a tool without file content is modified by its arguments as JSON [A4]', async () => {
  const modify = () =>
    editArguments('deploy', { target: 'eu', n: 1 }, { editor: 'nano', signal, env: env() });
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
  expect(await modify()).toEqual({ ok: false, problem: 'the edited arguments are not an object' });
});

const edited = { type: 'edit', title: '', fileName: 'a.ts', filePath: '/w/a.ts', fileDiff: '' } as const;
const confirmation: Confirmation = {
  ...edited,
  originalContent: 'old\n',
  newContent: 'new\n',
  diffStat: { added: 1, removed: 1 },
};
const waiting = {
  request: { name: 'put', args: { at: 'a.ts', text: 'new\n' } },
  question: { confirmation },
} as const;

test('an edit is changed by its content, which its tool puts into the arguments [A4]', async () => {
  const withContent = async (args: JsonObject, text: string) => ({ ...args, text });
  const change = (tool?: Pick<Tool, 'withContent'>) =>
    editCall(waiting, tool, { editor: 'nano', signal, env: env() });
  scripted('nano', 'cp "$last" "$0.seen"; printf "mine" > "$last"');
  expect(await change({ withContent })).toEqual({
    ok: true,
    args: { at: 'a.ts', text: 'mine' },
    changed: true,
  });
  expect(readFileSync(join(bin, 'nano.seen'), 'utf8')).toBe('new\n');
  expect(argsGiven()[0]).toMatch(/proposed-a\.ts$/);

  const refuses = () => {
    throw new Error('too short');
  };
  expect(await change({ withContent: refuses })).toEqual({
    ok: false,
    problem: 'put cannot take that content: too short',
  });
  scripted('nano', ':');
  expect(await change({ withContent: refuses })).toEqual({
    ok: true,
    args: waiting.request.args,
    changed: false,
  });
  scripted('nano', 'printf \'{"at":"b.ts"}\' > "$last"');
  expect(await change()).toEqual({ ok: true, args: { at: 'b.ts' }, changed: true });
});
