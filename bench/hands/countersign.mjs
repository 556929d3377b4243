// Our own tools as the program has them: a session with the shipped policy, where nobody is asked.
import { mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { DEFAULT_POLICY_SOURCE, loadPolicy, memoryJournal, openSession, Toolbox } from '@countersign/engine';
import { classify } from '@countersign/host';
import { builtInTools } from '@countersign/tools';
import { countersignVersion } from '../subjects/countersign.mjs';
import {
  editedFile,
  FILES_AT_ONCE,
  LAST_SOURCE_LINE,
  LINES,
  MEGABYTES,
  NEEDLE,
  NEEDLES,
  revisionLine,
  SLEEP,
  SLEEPS,
  sourceFile,
  TREE_FILES,
  TREE_FILES_OF_ONE_KIND,
  writtenFile,
  writtenText,
} from './workload.mjs';

/**
 * @import { SessionShell } from '@countersign/engine'
 * @import { JsonObject } from '@countersign/protocol'
 * @import { Hands, Printing } from './workload.mjs'
 */

export const name = 'countersign';
export const version = countersignVersion;

/** @param {string} workspace @returns {Promise<Required<Hands>>} */
export async function make(workspace) {
  const outputs = join(workspace, '..', 'outputs');
  mkdirSync(outputs);
  const session = await open(workspace, outputs);
  attachFrontEnd(session);
  let edits = 0;
  let writes = 0;
  let serial = 0;
  let residentBefore = 0;

  /** What the model is given. @param {string} tool @param {readonly JsonObject[]} each @returns {Promise<string[]>} */
  async function callAll(tool, each) {
    const wanted = each.map((args) => ({ callId: `c${serial++}`, name: tool, args }));
    const outcome = await session.schedule(wanted);
    if (!outcome.ok) throw new Error(outcome.failure.code);
    return outcome.calls.map((call) => {
      if (call.status !== 'success')
        throw new Error(`${tool}: ${call.status} ${'failure' in call ? JSON.stringify(call.failure) : ''}`);
      return String(call.result.llmContent);
    });
  }
  /** @param {string} tool @param {JsonObject} args */
  const call = async (tool, args) => (await callAll(tool, [args]))[0] ?? '';

  /** @param {Printing} printing @returns {Promise<number>} ms, without the tidying up */
  async function print({ command, bytes }) {
    rmSync(outputs, { recursive: true });
    mkdirSync(outputs);
    residentBefore ||= process.memoryUsage.rss();
    const began = performance.now();
    await call('run_shell_command', { command });
    const ms = performance.now() - began;
    const kept = readdirSync(outputs, { recursive: true, encoding: 'utf8' });
    if (!kept.some((file) => statSync(join(outputs, file)).size === bytes))
      throw new Error('not all was kept');
    return ms;
  }

  const glob = async (/** @type {string} */ pattern, /** @type {number} */ files) => {
    const found = await call('glob', { pattern });
    if (!found.startsWith(`${files} files`)) throw new Error(`not all were found: ${found.slice(0, 100)}`);
  };

  return {
    read: async () => assertRead(await call('read_file', { file_path: sourceFile(0) })),
    async readMany() {
      const wanted = Array.from({ length: FILES_AT_ONCE }, (_, index) => ({ file_path: sourceFile(index) }));
      for (const text of await callAll('read_file', wanted)) assertRead(text);
    },

    async edit() {
      const strings = { old_string: revisionLine(edits), new_string: revisionLine(edits + 1) };
      await call('replace', { file_path: editedFile('ours'), ...strings });
      edits++;
    },

    async write() {
      await call('write_file', { file_path: writtenFile('ours'), content: writtenText(++writes) });
    },

    async grep() {
      const found = await call('grep_search', { pattern: NEEDLE });
      if (found.split(NEEDLE).length - 1 < NEEDLES) throw new Error('not all was found');
    },
    globSome: () => glob('**/*.ts', TREE_FILES_OF_ONE_KIND),
    globAll: () => glob('**/file-*', TREE_FILES),

    async runTrue() {
      await call('run_shell_command', { command: 'true' });
    },
    async runSleeps() {
      await callAll(
        'run_shell_command',
        Array.from({ length: SLEEPS }, () => ({ command: SLEEP })),
      );
    },
    printLines: () => print(LINES),
    printMegabytes: () => print(MEGABYTES),

    async peakMegabytes() {
      const peak = process.resourceUsage().maxRSS * 1_024;
      return (peak - residentBefore) / 1_000_000;
    },

    close: () => session.dispose(),
  };
}

/** @param {string} workspace @param {string} outputs */
async function open(workspace, outputs) {
  const tools = new Toolbox(builtInTools());
  const loaded = await loadPolicy([DEFAULT_POLICY_SOURCE], {
    knownTools: tools.all().map((tool) => tool.name),
    canonicalTool: (given) => tools.get(given)?.name ?? given,
  });
  if (!loaded.ok) throw new Error(loaded.failure.code);
  const opened = await openSession({
    journal: memoryJournal(),
    sessionId: 'bench',
    workspace,
    outputs,
    mode: 'yolo',
    tools,
    policy: loaded.policy,
    classify,
    onTrouble: (failure) => {
      throw new Error(failure.code);
    },
  });
  if (!opened.ok) throw new Error(`The session did not open: ${opened.failure.code}`);
  return opened.session;
}

/** Somebody looks on, as in every real session. @param {SessionShell} session */
function attachFrontEnd(session) {
  void (async () => {
    for await (const deliveries of session.events(session.seq, new AbortController().signal))
      void deliveries.length;
  })();
}

function assertRead(/** @type {string} */ text) {
  if (!text.includes(LAST_SOURCE_LINE)) throw new Error('not all was read');
}
