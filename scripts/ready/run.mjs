import { spawn } from 'node:child_process';
import { root } from '../source/files.mjs';

/**
 * Runs a program in the root of the checkout, with our own standard streams and environment unless told otherwise.
 * @param {string} command
 * @param {readonly string[]} args
 * @param {{ stdio?: import('node:child_process').StdioOptions, env?: NodeJS.ProcessEnv }} [options]
 * @returns {Promise<number>} its exit code; 1 if it could not start, 128 if a signal ended it
 */
export function run(command, args, { stdio = 'inherit', env = process.env } = {}) {
  return new Promise((resolve) => {
    const child = spawn(command, args, { cwd: root, stdio, env });
    child.once('error', (error) => {
      console.error(`${command} could not be started: ${error.message}`);
      resolve(1);
    });
    child.once('close', (code) => resolve(code ?? 128));
  });
}

/**
 * Runs a Node script by its path, so that neither PATH nor a shell matters.
 * @param {string} script
 * @param {readonly string[]} args
 */
export const runNode = (script, args) => run(process.execPath, [script, ...args]);
