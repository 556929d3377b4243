// Let a person change a call in their own editor before they agree to it. Here the "editor" is a script of two lines,
// found on the PATH under the name of the real one.
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import {
  Config,
  EditorType,
  registerBuiltInTools,
  Scheduler,
  ToolConfirmationOutcome,
  ToolRegistry,
} from 'countersign';

/** Called as `code --wait --diff CURRENT PROPOSED`; returns when the person has closed the file. */
const FAKE_CODE = `#!/bin/sh
printf 'as edited\\n' > "$4"
`;

export async function main() {
  const directory = await mkdtemp(join(tmpdir(), 'countersign-example-'));
  const workspace = join(directory, 'workspace');
  const path = process.env['PATH'];
  try {
    await mkdir(workspace);
    await writeFile(join(directory, 'code'), FAKE_CODE);
    await chmod(join(directory, 'code'), 0o755);
    process.env['PATH'] = [directory, path].join(delimiter);
    return await editThenAllow(workspace);
  } finally {
    process.env['PATH'] = path;
    await rm(directory, { recursive: true, force: true });
  }
}

async function editThenAllow(workspace: string) {
  const config = new Config({ targetDir: workspace });
  const registry = new ToolRegistry(config);
  registerBuiltInTools(registry, config);
  /** What the question showed, each time that something about it changed. */
  const shown: { isModifying: boolean; newContent: string; notice: string | undefined }[] = [];
  let editor: EditorType | undefined;

  // #region editor
  const scheduler = new Scheduler({
    toolRegistry: registry,
    config,
    getPreferredEditor: () => editor,
    onToolCallsUpdate: (calls) => {
      for (const call of calls) {
        if (call.status !== 'awaiting_approval' || call.confirmationDetails.type !== 'edit') continue;
        const { isModifying, newContent, notice, onConfirm } = call.confirmationDetails;
        shown.push({ isModifying, newContent, notice });
        if (isModifying) continue; // the editor is open: the answer is not due yet
        if (newContent === 'as edited\n') void onConfirm(ToolConfirmationOutcome.ProceedOnce);
        else if (notice === undefined) void onConfirm(ToolConfirmationOutcome.ModifyWithEditor);
        else {
          // There was no editor. The question stays as it was, and says why.
          editor = EditorType.VSCode;
          void onConfirm(ToolConfirmationOutcome.ModifyWithEditor);
        }
      }
    },
  });
  // #endregion

  const [call] = await scheduler.schedule({
    callId: 'w',
    name: 'write_file',
    args: { file_path: 'note.txt', content: 'as proposed\n' },
  });
  await scheduler.dispose();
  return { call, shown, written: await readFile(join(workspace, 'note.txt'), 'utf8') };
}
