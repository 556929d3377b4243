import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** A real directory for one test, with a place beside it that nothing may touch. */
export type TemporaryWorkspace = {
  readonly workspace: string;
  readonly outside: string;
  readonly put: (path: string, content: string | Uint8Array) => string;
  readonly remove: () => void;
};

export function temporaryWorkspace(parent: string = tmpdir()): TemporaryWorkspace {
  const base = realpathSync(mkdtempSync(join(parent, 'countersign-tools-')));
  const workspace = join(base, 'ws');
  const outside = join(base, 'outside');
  mkdirSync(workspace);
  mkdirSync(outside);
  // Open to look at, so that tests can run as another user for a moment.
  chmodSync(base, 0o755);
  return {
    workspace,
    outside,
    put: (path, content) => {
      const full = join(workspace, path);
      mkdirSync(dirname(full), { recursive: true });
      writeFileSync(full, content);
      return full;
    },
    remove: () => rmSync(base, { recursive: true, force: true }),
  };
}
