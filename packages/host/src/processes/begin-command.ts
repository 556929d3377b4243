import type { ChildProcess } from 'node:child_process';
import { closeSync } from 'node:fs';
import { commandFiles, makeDirectory, openOutput, pidFileOf } from './command-files.js';
import { commandEnvironment, type HostEnvironment } from './environment.js';
import { RunningCommand, tagOf } from './running-command.js';
import { type Confine, startWrapper } from './wrapper.js';

export type Beginning = {
  /** The call's own directory, where all that must outlive us is kept. */
  readonly keptIn: string;
  /** Which try to start it this is. */
  readonly number: number;
  readonly command: string;
  /** A path to the working directory that no other process can redirect, and its real path. */
  readonly heldDirectory: string;
  readonly directory: string;
  readonly confine: Confine | null;
  readonly host: HostEnvironment;
  readonly pass: readonly string[];
  /** The size at which its output ends, and with it the command, whether or not a program watches it. */
  readonly outputBytesMax: number;
};

/** Throws the error of the system if it cannot be started. */
export function beginCommand(beginning: Beginning): RunningCommand {
  const { keptIn, number, command, directory, heldDirectory, confine, host, pass, outputBytesMax } =
    beginning;
  const files = commandFiles(keptIn);
  makeDirectory(files);
  const usual = commandEnvironment(host, { tag: tagOf(keptIn), directory, pass });
  const environment = { ...usual, ...confine?.environment };
  const output = openOutput(files);
  try {
    const child = startWrapper({
      files,
      number,
      command,
      directory: heldDirectory,
      environment,
      confine,
      output,
      outputBytesMax,
    });
    const leader = pidOf(child);
    const pidFile = pidFileOf(files, number);
    return new RunningCommand({ files, startedAt: Date.now(), output, leader, pidFile, child });
  } catch (error) {
    closeSync(output);
    throw error;
  }
}

function pidOf(child: ChildProcess): number {
  if (child.pid !== undefined) return child.pid;
  // Node emits an event as well, which would end this program without a listener.
  child.once('error', () => {});
  throw new Error(`${child.spawnfile} could not be started`);
}
