import { basename } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import {
  type Exit,
  measureOutput,
  onOneLine,
  type RunningCommand,
  readOutput,
  readRefusal,
  textOf,
} from '@countersign/host';
import type { Need } from '@countersign/protocol';
import { denialIn, type Profile, plantedIn, shownOtherwise } from '@countersign/sandbox';
import { isGuarded } from './confine-command.js';
import { type KeptConfinement, keptConfinement } from './kept-confinement.js';

/** What confinement adds to the result of a command. */
export type Confined = {
  /** What it failed for lack of; null where the sandbox was not in its way. */
  readonly lacked: Need | null;
  /** Why the sandbox could not be set up, so that nothing was run; null if it was. */
  readonly refusal: string | null;
  /** What the model and the person should know. */
  readonly notes: readonly string[];
};

/** `exit` is null for one that was stopped or still runs. null for a command that was not confined. */
export function confinedEnd(command: RunningCommand, exit: Exit | null): Confined | null {
  const kept = keptConfinement(command.files.directory);
  if (kept === null) return null;
  return {
    lacked: exit === null ? null : lackedBy(command, exit, kept),
    refusal: exit === null ? null : readRefusal(command.files),
    notes: [...notesOnNames(kept), ...notesOnOthers(kept), ...notesOnPlanted(kept)],
  };
}

const TAIL_BYTES = 65_536; // more than what is looked through of it

function lackedBy(command: RunningCommand, { code }: Exit, kept: KeptConfinement): Need | null {
  if (code === 0) return null;
  const { bytes } = measureOutput(command.output);
  const output = textOf(readOutput(command.output, Math.max(0, bytes - TAIL_BYTES), bytes));
  const { directory, profile, effects, programs, needs } = kept;
  const need =
    denialIn({ output, exitCode: code, directory }, profile) ?? lackedInSilence(programs, code, profile);
  // What a reader prints of the network is what it has read.
  if (need === null || (effects === 'reads' && need.needs !== 'read')) return null;
  // A command that has the permission and still fails has another reason; asking again would never end.
  return needs.some((given) => isDeepStrictEqual(given, need)) ? null : need;
}

const COULD_NOT_RESOLVE = 6; // an exit code of curl, which often runs with --silent

const lackedInSilence = (programs: readonly string[], code: number, { network }: Profile): Need | null =>
  network === 'blocked' && code === COULD_NOT_RESOLVE && programs.includes('curl')
    ? { needs: 'network', host: null }
    : null;

/** An empty answer would be taken for the truth. */
function notesOnNames({ names, profile }: KeptConfinement): string[] {
  const otherwise = shownOtherwise(names, profile);
  return otherwise.length === 0
    ? []
    : [
        `It ran in the sandbox, which shows other content in place of ${otherwise.map(onOneLine).join(', ')}.`,
      ];
}

/** Programs that list processes or the network of the machine, of which a sandbox shows next to nothing. */
const LOOK_AT_OTHERS = new Set(
  'ps pgrep pkill pidof pstree killall top htop ss netstat lsof fuser ip ifconfig'.split(' '),
);

function notesOnOthers({ programs }: KeptConfinement): string[] {
  const looking = programs.filter((program) => LOOK_AT_OTHERS.has(program));
  return looking.length === 0
    ? []
    : [
        `It ran in the sandbox, where ${looking.join(', ')} cannot see other processes or the network of this machine.`,
      ];
}

const PLANTED_NAMED_MAX = 10;

/** They are left where they are: to make them may have been the very purpose (`git init`). */
function notesOnPlanted({ profile }: KeptConfinement): string[] {
  const planted = plantedIn(profile, (path) => isGuarded(profile.workspace, path)).map((path) =>
    onOneLine(basename(path)),
  );
  if (planted.length === 0) return [];
  const more = planted.length - PLANTED_NAMED_MAX;
  const named = planted.slice(0, PLANTED_NAMED_MAX).join(', ') + (more > 0 ? ` and ${more} more` : '');
  return [
    `Since it started, files with protected names were created in the workspace: ${named}. Programs may act on them, so check them first.`,
  ];
}
