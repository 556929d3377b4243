import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { performance } from 'node:perf_hooks';

/**
 * @import { Asked, ModelServer, Wanted } from './model-server.mjs'
 *
 * @typedef {{ readonly workspace: string, readonly home: string }} Place
 *
 * @typedef {(url: string, workspace: string) => { readonly args: readonly string[], readonly env: NodeJS.ProcessEnv }} HowToStart
 *
 * @typedef {object} Measured
 * @property {number} firstRequestMs from the start of the process to the arrival of its first request
 * @property {readonly number[]} turnaroundMs for each call: from the last byte of it to the arrival of its result
 * @property {number} wholeMs from the start of the process to its end
 * @property {number} residentMegabytes at most, up to its last request; NaN where the system does not tell
 * @property {Asked | undefined} first
 */

/** A program that hangs must not hang the benchmark. */
const RUN_MS_MAX = 60_000;

/**
 * One process from its start to its end, while the model makes the calls of a script.
 * @param {HowToStart} start
 * @param {ModelServer} model
 * @param {Place} place
 * @param {readonly Wanted[]} script
 * @returns {Promise<Measured>}
 */
export async function oneRun(start, model, { workspace, home }, script) {
  model.play(script);
  let residentMegabytes = Number.NaN;
  const { args, env } = start(model.url, workspace);
  const startedMs = performance.now();
  const child = spawn(process.execPath, args, {
    cwd: workspace,
    env: { PATH: process.env['PATH'], HOME: home, ...env },
    stdio: ['ignore', 'ignore', 'pipe'],
    timeout: RUN_MS_MAX,
  });
  model.onAsked = ({ results }) => {
    if (results.length === script.length) residentMegabytes = residentAtMost(child.pid);
  };
  const { code, complaint } = await endOf(child);
  const wholeMs = performance.now() - startedMs;
  const { asked } = model;
  if (code !== 0 || asked.length !== script.length + 1)
    throw new Error(`${args.join(' ')} ended with ${code} after ${asked.length} requests: ${complaint}`);
  const [first] = asked;
  return {
    firstRequestMs: (first?.arrivedMs ?? Number.NaN) - startedMs,
    turnaroundMs: asked.slice(1).map(({ arrivedMs }, turn) => arrivedMs - (asked[turn]?.answeredMs ?? 0)),
    wholeMs,
    residentMegabytes,
    first,
  };
}

/**
 * @param {import('node:child_process').ChildProcessByStdio<null, null, import('node:stream').Readable>} child
 * @returns {Promise<{ code: number | string | null, complaint: string }>}
 */
function endOf(child) {
  let complaint = '';
  child.stderr.setEncoding('utf8').on('data', (text) => {
    complaint += text;
  });
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code, signal) => resolve({ code: code ?? signal, complaint }));
  });
}

function residentAtMost(/** @type {number | undefined} */ pid) {
  try {
    const [, kilobytes] = /^VmHWM:\s*(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1')) ?? [];
    return (Number(kilobytes) * 1_024) / 1e6;
  } catch {
    return Number.NaN;
  }
}

/** @param {readonly string[]} args of Node @returns {Promise<number>} from the start to the end of a process that ends by itself */
export async function elapsedMs(args) {
  const startedMs = performance.now();
  const child = spawn(process.execPath, args, {
    env: { PATH: process.env['PATH'] },
    stdio: ['ignore', 'ignore', 'pipe'],
    timeout: RUN_MS_MAX,
  });
  const { code, complaint } = await endOf(child);
  if (code !== 0) throw new Error(`${args.join(' ')} ended with ${code}: ${complaint}`);
  return performance.now() - startedMs;
}
