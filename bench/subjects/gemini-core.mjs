// @google/gemini-cli-core as Gemini CLI itself uses it: its scheduler, policy engine, message bus and registry.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { load, versionOf } from '../peers.mjs';
import { showUpdates } from './show-updates.mjs';

/** @import { Subject } from '../subject-process.mjs' */

const PACKAGE = '@google/gemini-cli-core';
const WAITS_MS = 20;
const ALLOWED_BESIDE = 9;

export const name = 'gemini-cli-core';
export const version = () => versionOf('gemini-core', PACKAGE);

/** @returns {Promise<Subject>} */
export async function make() {
  const core = await load('gemini-core', PACKAGE, 'dist/index.js');
  // The program silences this as well; otherwise every check of policy prints.
  console.debug = () => {};
  const directory = mkdtempSync(join(tmpdir(), 'bench-gemini-core-'));
  const config = new core.Config({
    sessionId: 'bench',
    cwd: directory,
    targetDir: directory,
    model: 'gemini-2.5-flash',
    debugMode: false,
    interactive: true,
    usageStatisticsEnabled: false,
    telemetry: { enabled: false },
    approvalMode: core.ApprovalMode.DEFAULT,
    policyEngineConfig: {
      approvalMode: core.ApprovalMode.DEFAULT,
      rules: [
        { toolName: 'echo', decision: core.PolicyDecision.ALLOW, priority: 100 },
        { toolName: 'ask', decision: core.PolicyDecision.ASK_USER, priority: 100 },
      ],
    },
  });
  const bus = new core.MessageBus(config.getPolicyEngine());
  const person = attachPerson(bus, core);
  let lastStart = 0;
  const toolRegistry = new core.ToolRegistry(config, bus);
  const Echo = echoTool(core, bus);
  toolRegistry.registerTool(
    new Echo('echo', () => {
      lastStart = performance.now();
    }),
  );
  toolRegistry.registerTool(new Echo('ask', () => {}));
  const scheduler = new core.Scheduler({
    context: { config, toolRegistry, messageBus: bus, promptId: 'bench' },
    messageBus: bus,
    schedulerId: 'bench',
    getPreferredEditor: () => undefined,
  });
  let serial = 0;

  /** @param {number} calls @param {(index: number) => string} nameOf @param {object} more */
  async function run(calls, nameOf, more = {}) {
    const requests = Array.from({ length: calls }, (_, index) => {
      const number = serial++;
      const args = { text: `t${number}`, ...more };
      return {
        callId: `c${number}`,
        name: nameOf(index),
        args,
        isClientInitiated: false,
        prompt_id: 'bench',
      };
    });
    /** @type {{ status: string }[]} */
    const completed = await scheduler.schedule(requests, new AbortController().signal);
    person.answered.clear();
    const succeeded = completed.filter(({ status }) => status === 'success').length;
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
      scheduler.dispose();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

/**
 * What the terminal does with each update: it looks at every call, and answers those that ask.
 * @param {any} bus
 * @param {any} core
 */
function attachPerson(bus, core) {
  const person = { answersAfterMs: 0, seen: 0, answered: new Set() };
  bus.on('tool-calls-update', (/** @type {any} */ update) => {
    for (const { status, correlationId, liveOutput } of update.toolCalls) {
      if (status === 'executing' && liveOutput !== undefined) person.seen++;
      if (status !== 'awaiting_approval' || person.answered.has(correlationId)) continue;
      person.answered.add(correlationId);
      const answer = () =>
        bus.publish({
          type: 'tool-confirmation-response',
          correlationId,
          confirmed: true,
          outcome: core.ToolConfirmationOutcome.ProceedOnce,
        });
      // An answer in the same tick would be lost: it begins to listen only afterwards.
      if (person.answersAfterMs > 0) setTimeout(answer, person.answersAfterMs);
      else setImmediate(answer);
    }
  });
  return person;
}

/** @param {any} core @param {any} bus */
function echoTool(core, bus) {
  const schema = {
    type: 'object',
    properties: { text: { type: 'string' }, updates: { type: 'number' } },
    required: ['text'],
  };

  class EchoCall extends core.BaseToolInvocation {
    /** @param {any} params @param {any} messageBus @param {string} toolName @param {() => void} started */
    constructor(params, messageBus, toolName, started) {
      super(params, messageBus, toolName, toolName);
      this.started = started;
    }

    getDescription() {
      return this.params.text;
    }

    /** @param {any} options */
    async execute({ updateOutput }) {
      this.started();
      const { text, updates = 0 } = this.params;
      if (updates > 0) await showUpdates(updates, updateOutput);
      return { llmContent: text, returnDisplay: text };
    }
  }

  return class EchoTool extends core.BaseDeclarativeTool {
    /** @param {string} toolName @param {() => void} started */
    constructor(toolName, started) {
      super(toolName, toolName, 'Gives its text back.', core.Kind.Read, schema, bus, false, true);
      this.started = started;
    }

    // As its built-in tools do: with a new schema object each time, each call would compile it again.
    /** @param {string} [modelId] */
    getSchema(modelId) {
      this.declared ??= super.getSchema(modelId);
      return this.declared;
    }

    /** @param {any} params @param {any} messageBus */
    createInvocation(params, messageBus) {
      return new EchoCall(params, messageBus, this.name, this.started);
    }
  };
}
