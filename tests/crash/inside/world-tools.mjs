// Tools for the program under test (`--tools`). What they do is one line in a file, so that the file
// proves how often each call really happened, whatever the program believes.
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { dieInTool } from './die-at.mjs';

/** @typedef {import('@countersign/engine').Tool} Tool */
/** @typedef {import('@countersign/engine').PlanDraft} PlanDraft */

const world = needed('CRASH_WORLD');
const death = process.env['CRASH_AT'];
const passing = death ? dieInTool(JSON.parse(death), needed('CRASH_DEATHS')) : () => {};

/** Asks, and must never happen twice. */
const tick = worldTool('tick', 'edit', (args, workspace) => ({
  title: 'tick',
  repeat: 'unsafe',
  resources:
    typeof args['file'] === 'string'
      ? [{ kind: 'fs.write', path: join(workspace, args['file']), scope: 'file' }]
      : [],
}));

/** Needs no question, and must never happen twice. */
const slow = worldTool('slow', 'execute', () => ({
  title: 'slow',
  repeat: 'unsafe',
  resources: [],
  byDefault: 'allow',
}));

/** Needs no question, may happen again, and touches nothing of what others do: a read of something unnamed would wait for them. */
const probe = worldTool('probe', 'think', () => ({ title: 'probe', repeat: 'safe', resources: [] }));

export default [tick, slow, probe];

/**
 * @param {string} name
 * @param {Tool['kind']} kind
 * @param {(args: import('@countersign/protocol').JsonObject, workspace: string) => PlanDraft} plan
 * @returns {Tool}
 */
function worldTool(name, kind, plan) {
  return {
    name,
    displayName: name,
    description: `Writes one line into the world of the crash test (${name}).`,
    kind,
    inputSchema: {
      type: 'object',
      properties: {
        beforeMs: { type: 'number' },
        afterMs: { type: 'number' },
        planMs: { type: 'number' },
        file: { type: 'string' },
      },
    },
    canUpdateOutput: false,
    check: (args) => ({ ok: true, args }),
    async plan(args, { workspace }) {
      if (milliseconds(args['planMs']) > 0) await sleep(milliseconds(args['planMs']));
      return plan(args, workspace);
    },
    async run(args, { callId, attempt, signal }) {
      mark({ what: 'entered', callId, attempt });
      passing('entered', callId, attempt);
      await sleep(milliseconds(args['beforeMs']), undefined, { signal });
      mark({ what: 'effect', callId, attempt });
      passing('done', callId, attempt);
      await sleep(milliseconds(args['afterMs']), undefined, { signal });
      return { llmContent: `${name} ${callId} happened`, returnDisplay: '' };
    },
  };
}

/** One write to a file opened for appending: no other process's line can get into it, and a kill cannot cut it. */
function mark(/** @type {{ what: 'entered' | 'effect', callId: string, attempt: number }} */ line) {
  appendFileSync(world, `${JSON.stringify({ ...line, pid: process.pid })}\n`);
}

const milliseconds = (/** @type {unknown} */ given) => (typeof given === 'number' ? given : 0);

function needed(/** @type {string} */ name) {
  const value = process.env[name];
  if (!value) throw new Error(`these tools belong to the crash test, which sets ${name}`);
  return value;
}
