import {
  commandFiles,
  type Exit,
  exitedAt,
  openOutput,
  pidFileOf,
  readAnnouncement,
} from './command-files.js';
import { bootId } from './process-table.js';
import { RunningCommand } from './running-command.js';

export type Found =
  | { readonly type: 'running'; readonly command: RunningCommand }
  /** It ran, and `command` has its output. */
  | {
      readonly type: 'exited';
      readonly command: RunningCommand;
      readonly exit: Exit;
      /** When, by the clock of the files. */
      readonly at: number;
    }
  | { readonly type: 'lost'; readonly command: RunningCommand; readonly evidence: string }
  /** No attempt to start it has succeeded yet. */
  | { readonly type: 'silent'; readonly number: number };

/** The state of a command that an earlier process started. */
export function findCommand(keptIn: string, startedAt: number): Found {
  const files = commandFiles(keptIn);
  for (let number = 1; ; number += 1) {
    const pidFile = pidFileOf(files, number);
    const announced = readAnnouncement(pidFile);
    if (announced.type === 'called off') continue;
    if (announced.type !== 'process') return { type: 'silent', number };
    const { pid: leader, boot } = announced;
    const command = new RunningCommand({
      files,
      startedAt,
      output: openOutput(files),
      leader,
      pidFile,
      child: null,
    });
    const state = boot === bootId() && command.isLeaderAlive() ? 'alive' : 'ended';
    // Looked at last: a leader that was seen dead has written all that it ever will.
    const exit = command.readExit();
    if (exit !== null) return { type: 'exited', command, exit, at: exitedAt(files) };
    if (state === 'alive') return { type: 'running', command };
    const evidence =
      boot === bootId()
        ? command.evidence()
        : `the machine was restarted after process ${leader} started it, and there is no exit code`;
    return { type: 'lost', command, evidence };
  }
}
