import { spawn } from 'node:child_process';
import { root } from '../source/files.mjs';

/**
 * Runs a program in the root of the checkout with our own standard streams.
 * @param {string} command
 * @param {readonly string[]} args
 * @param {import('node:child_process').StdioOptions} [stdio]
 * @returns {Promise<number>} its exit code; 1 if it could not start, 128 if a signal ended it
 */
export function run(command, args, stdio = 'inherit') {
  return new Promise((resolve) => {
    const child = spawn(command, args, { cwd: root, stdio });
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
