import type { SandboxMode } from '@countersign/sandbox';
import { type ShellOptions, shellOptions } from './options.js';
import { confinementHere } from './reach.js';

/** How commands run here, for doctor, the terminal and the page. */
export type SandboxStatus = {
  readonly mode: SandboxMode;
  /** Which commands run confined. `refused`: none runs at all. */
  readonly confined: 'all' | 'unasked' | 'none' | 'refused';
  /** One sentence or two. */
  readonly text: string;
  /** What to do about it; null if there is nothing to be done. */
  readonly fix: string | null;
};

/** Tries it out, unless this process has done so before: the status must be current. */
export async function sandboxStatus(options: Partial<ShellOptions> = {}): Promise<SandboxStatus> {
  const { sandbox: mode, bubblewrap } = { ...shellOptions(process.env), ...options };
  const confinement = await confinementHere({ sandbox: mode, bubblewrap, rememberIn: null });
  switch (confinement.run) {
    case 'confined': {
      const by = `(bubblewrap ${confinement.sandbox.version})`;
      return mode === 'required'
        ? { mode, confined: 'all', text: `All commands run confined ${by}.`, fix: null }
        : {
            mode,
            confined: 'unasked',
            text: `Commands that run without a question run confined ${by}.`,
            fix: null,
          };
    }
    case 'unconfined': {
      const { because, fix } = confinement;
      return { mode, confined: 'none', text: `Commands run without the sandbox. ${because}`, fix };
    }
    case 'refuse': {
      const { why, fix } = confinement;
      return { mode, confined: 'refused', text: `Commands must run confined, so none is run. ${why}`, fix };
    }
  }
}
