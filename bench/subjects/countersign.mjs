// Our own engine as an embedder gets it: a session with a policy, a schema-checked tool and one front end attached.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { memoryJournal, openSession, Toolbox } from '@countersign/engine';
import { compilePolicy } from '@countersign/kernel';
import { sqliteJournal } from '@countersign/store-sqlite';
import { defineTool } from '@countersign/tools';
import { z } from 'zod';
import { showUpdates } from './show-updates.mjs';

/**
 * @import { Journal, SessionShell, Tool } from '@countersign/engine'
 * @import { Rule } from '@countersign/kernel'
 * @import { PolicyDecision } from '@countersign/protocol'
 * @import { Subject } from '../subject-process.mjs'
 */

/** @returns {string} */
export const countersignVersion = () =>
  JSON.parse(readFileSync(new URL('../../packages/cli/package.json', import.meta.url), 'utf8')).version;

/** Long enough for every allowed call to start meanwhile, short enough to repeat often. */
const WAITS_MS = 20;
const ALLOWED_BESIDE = 9;

/**
 * @param {'memory' | 'sqlite'} store
 * @returns {Promise<Required<Omit<Subject, 'baseline'>>>}
 */
export async function makeCountersign(store) {
  const directory = store === 'sqlite' ? mkdtempSync(join(tmpdir(), 'countersign-bench-')) : null;
  const journal = directory ? await sqliteJournal(join(directory, 'journal.db')) : memoryJournal();
  let lastStart = 0;
  const started = () => {
    lastStart = performance.now();
  };
  const session = await open(journal, [echoTool('echo', started), echoTool('ask', () => {})]);
  const person = attachPerson(session);
  let serial = 0;

  /** @param {number} calls @param {(index: number) => string} nameOf @param {object} more */
  async function run(calls, nameOf, more = {}) {
    const wanted = Array.from({ length: calls }, (_, index) => {
      const number = serial++;
      return { callId: `c${number}`, name: nameOf(index), args: { text: `t${number}`, ...more } };
    });
    const outcome = await session.schedule(wanted);
    const succeeded = outcome.ok ? outcome.calls.filter(({ status }) => status === 'success').length : 0;
    if (succeeded !== calls) throw new Error(`${succeeded} of ${calls} calls succeeded`);
  }

  return {
    batch: (calls) => run(calls, () => 'echo'),
    ask: (calls) => run(calls, () => 'ask'),

    async startBesideWaiting() {
      person.answersAfterMs = WAITS_MS;
      const began = performance.now();
      await run(1 + ALLOWED_BESIDE, (index) => (index === 0 ? 'ask' : 'echo'));
      person.answersAfterMs = 0;
      return lastStart - began;
    },

    async live(calls, updates) {
      person.seen = 0;
      await run(calls, () => 'echo', { updates });
      return person.seen;
    },

    async close() {
      await session.dispose();
      await journal.close();
      if (directory) rmSync(directory, { recursive: true, force: true });
    },
  };
}

/** @param {Journal} journal @param {readonly Tool[]} tools */
async function open(journal, tools) {
  const opened = await openSession({
    journal,
    sessionId: 'bench',
    workspace: '/bench',
    tools: new Toolbox(tools),
    policy: compilePolicy([rule('echo', 'allow', 1), rule('ask', 'ask_user', 2)], 'bench'),
    classify: () => ({ place: 'workspace', guarded: null }),
    onTrouble: (failure) => {
      throw new Error(failure.code);
    },
  });
  if (!opened.ok) throw new Error(`The session did not open: ${opened.failure.code}`);
  return opened.session;
}

/** @param {string} name @param {() => void} started */
function echoTool(name, started) {
  return defineTool({
    name,
    displayName: name,
    description: 'Gives its text back.',
    kind: 'read',
    input: () => z.strictObject({ text: z.string(), updates: z.number().optional() }),
    canUpdateOutput: true,
    plan: ({ text }) => ({ title: text, resources: [], repeat: 'safe' }),
    run: async ({ text, updates = 0 }, { updateOutput }) => {
      started();
      if (updates > 0) await showUpdates(updates, updateOutput);
      return { llmContent: text, returnDisplay: text };
    },
  });
}

/**
 * A front end and the person before it: sees every fact, and answers each question as soon as it is asked.
 * @param {SessionShell} session
 */
function attachPerson(session) {
  const person = { answersAfterMs: 0, seen: 0 };
  void (async () => {
    for await (const deliveries of session.events(session.seq, new AbortController().signal)) {
      for (const delivery of deliveries) {
        if ('live' in delivery) person.seen++;
        else if (delivery.event.type === 'call.asked') {
          const { callId, question } = delivery.event;
          const answer = () => void proceed(session, callId, question.digest);
          if (person.answersAfterMs > 0) setTimeout(answer, person.answersAfterMs);
          else answer();
        }
      }
    }
  })();
  return person;
}

/** @param {SessionShell} session @param {string} callId @param {string} digest */
async function proceed(session, callId, digest) {
  const ack = await session.send({ type: 'answer', callId, digest, outcome: 'proceed_once', by: 'bench' });
  if (!ack.ok) throw new Error(`An answer was refused: ${ack.failure.code}`);
}

/** @param {string} tool @param {PolicyDecision} decision @param {number} line @returns {Rule} */
function rule(tool, decision, line) {
  return {
    ref: { name: null, tier: 'user', priority: 100, file: 'bench.toml', line },
    tools: [tool],
    mcpServer: null,
    args: null,
    command: null,
    annotations: null,
    decision,
    modes: null,
    interactive: null,
    subagent: null,
    allowRedirection: false,
    denyMessage: null,
  };
}
