// Our policy as the engine uses it: rules from a file, a line taken apart, a verdict.
import { analyzeCommand } from '@countersign/commands';
import { loadPolicy } from '@countersign/engine';
import { countersignVersion } from '../subjects/countersign.mjs';
import { CHECKS, KINDS, lastOf, policyText, RULES } from './workload.mjs';

/**
 * @import { Policy, Subject } from '@countersign/kernel'
 * @import { CommandAnalysis } from '@countersign/protocol'
 * @import { Judge } from './workload.mjs'
 */

export const name = 'countersign';
export const version = countersignVersion;

/** @returns {Promise<Judge>} */
export async function make() {
  /** @type {Map<number, Policy>} */
  const policies = new Map();
  for (const rules of RULES) policies.set(rules, await load(rules));
  /** @type {Map<string, CommandAnalysis>} */
  const seen = new Map();
  let serial = 0;

  /** @param {string} line */
  function known(line) {
    const analysis = seen.get(line) ?? analyzeCommand(line);
    seen.set(line, analysis);
    return analysis;
  }

  return {
    async check(rules, number) {
      const policy = policies.get(rules);
      const kind = KINDS[number];
      if (!policy || !kind) throw new Error('no such check');
      const last = lastOf(rules);
      for (let check = 0; check < CHECKS; check++) {
        const line = kind.line(last, serial++);
        const { decision } = policy.judge(
          kind.about === 'tool'
            ? subject(`tool_${last}`, {}, null)
            : subject(
                'run_shell_command',
                { command: line },
                kind.text === 'seen' ? known(line) : analyzeCommand(line),
              ),
        );
        if (decision !== 'allow') throw new Error(`${kind.what}: ${decision}`);
      }
    },
  };
}

async function load(/** @type {number} */ rules) {
  const loaded = await loadPolicy([{ file: 'bench.toml', tier: 'user', text: policyText(rules) }]);
  if (!loaded.ok) throw new Error(loaded.failure.problem);
  return loaded.policy;
}

/** @param {string} tool @param {Subject['args']} args @param {CommandAnalysis | null} commands @returns {Subject} */
const subject = (tool, args, commands) => ({
  tool,
  args,
  plan: { kind: 'execute', resources: [] },
  commands,
  mcpServer: null,
  annotations: null,
  origin: 'model',
  mode: 'manual',
  attended: true,
  subagent: null,
});
