import { type RunContext } from '@countersign/engine';
import { type Need, type Reach as ShownReach, ToolFailure } from '@countersign/protocol';
import { type Confinement, confinementFor, probeSandbox, type Sandbox } from '@countersign/sandbox';
import type { ShellOptions } from './options.js';

/** With which permissions a command runs. */
export type Reach =
  | Extract<ShownReach, { type: 'everything' }>
  | { readonly type: 'confined'; readonly needs: readonly Need[]; readonly sandbox: Sandbox };

type Options = Pick<ShellOptions, 'sandbox' | 'bubblewrap' | 'rememberIn'>;

/**
 * Commands without approval run confined. An approved command runs with
 * what they were shown: everything, or the sandbox with what it lacked opened up.
 */
export async function reachOf(
  permit: RunContext['permit']['type'],
  needs: readonly Need[],
  options: Options,
): Promise<Reach> {
  if (options.sandbox === 'on' && permit === 'person' && needs.length === 0)
    return { type: 'everything', why: 'Approved commands are not confined.' };
  const confinement = await confinementHere(options);
  switch (confinement.run) {
    case 'confined':
      return { type: 'confined', needs, sandbox: confinement.sandbox };
    case 'unconfined': {
      const { because, fix } = confinement;
      // Approving one more permission is not approving all of them.
      if (needs.length > 0 && fix !== null) throw unavailable({ why: because, fix });
      return { type: 'everything', why: because };
    }
    case 'refuse':
      throw unavailable(confinement);
  }
}

export const confinementHere = ({ sandbox, bubblewrap, rememberIn }: Options): Promise<Confinement> =>
  confinementFor(sandbox, () => probeSandbox(bubblewrap, rememberIn));

const unavailable = ({ why, fix }: { readonly why: string; readonly fix: string }) =>
  new ToolFailure({ code: 'sandbox_unavailable', why, fix });

/** As a person is shown it. */
export const shownReach = (reach: Reach): ShownReach =>
  reach.type === 'everything' ? reach : { type: 'confined', needs: reach.needs };
