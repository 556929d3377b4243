import type { Need } from '@countersign/protocol';
import type { Profile } from '../profile/profile.js';
import { deniedHost } from './denied-host.js';
import { deniedPath } from './denied-path.js';

export type Ended = {
  /** The last that it printed. */
  readonly output: string;
  readonly exitCode: number;
  readonly directory: string;
};

const TAIL_CHARS_MAX = 16_384; // the last messages of a failing program, with a stack or two
const LINES_MAX = 200; // each may cost some looks at the disk
const LINES_BACK = 3; // some programs name the file first, then the cause (cargo)

/**
 * Whether the sandbox is why a command failed. Programs report it in words only,
 * so each reading is checked against the profile and the machine: what is
 * inside the profile, or would fail outside the sandbox just the same, is an
 * ordinary failure. The last complaint is taken for the cause.
 */
export function denialIn(ended: Ended, profile: Profile): Need | null {
  if (ended.exitCode === 0) return null;
  const lines = plain(ended.output.slice(-TAIL_CHARS_MAX)).split('\n').slice(-LINES_MAX);
  let nameless: Need | null = null;
  for (let at = lines.length - 1; at >= 0; at -= 1) {
    const [line = '', ...before] = lines.slice(Math.max(0, at - LINES_BACK), at + 1).toReversed();
    const denial = deniedPath(line, before, ended.directory, profile) ?? deniedHost(line, profile);
    if (denial === null) continue;
    // Node prints "code: 'EAI_AGAIN'" some lines after it named the host.
    if (denial.needs === 'network' && denial.host === null) nameless ??= denial;
    else return denial.needs === 'network' ? denial : (nameless ?? denial);
  }
  return nameless;
}

/** Without colours. */
const plain = (text: string): string => text.replaceAll(new RegExp(String.raw`\u001B\[[0-9;]*m`, 'g'), '');
