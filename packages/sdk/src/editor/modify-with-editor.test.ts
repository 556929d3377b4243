import { chmodSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { ModifyContext } from '../tools/modifiable-tool.js';
import { EditorType } from '../types/enums.js';
import { modifyWithEditor } from './modify-with-editor.js';

/** Where scripted editors are. */
let bin: string;
beforeEach(() => {
  bin = realpathSync(mkdtempSync(join(tmpdir(), 'countersign-bin-')));
});
afterEach(() => rmSync(bin, { recursive: true }));

/** An editor that is a small shell script; `$last` is the file to edit. */
function scripted(name: string, script: string): void {
  writeFileSync(join(bin, name), `#!/bin/sh\nfor last; do :; done\n${script}\n`);
  chmodSync(join(bin, name), 0o755);
}
const env = () => ({ PATH: `${bin}:/usr/bin:/bin` });
const signal = new AbortController().signal;

type Params = { readonly path: string; readonly content: string };
const context: ModifyContext<Params> = {
  getFilePath: ({ path }) => path,
  getCurrentContent: async () => 'old\n',
  getProposedContent: async ({ content }) => content,
  createUpdatedParams: (old, content, params) => ({ ...params, content: `${content}(was ${old.trim()})` }),
};

test('modifyWithEditor returns the parameters as the user edited them, and the diff [A4] [E2]', async () => {
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
