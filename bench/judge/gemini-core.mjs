// The policy engine of @google/gemini-cli-core with the same policy file, read by its own loader.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { load, versionOf } from '../peers.mjs';
import { CHECKS, KINDS, lastOf, policyText, RULES } from './workload.mjs';

/** @import { Judge } from './workload.mjs' */

const PACKAGE = '@google/gemini-cli-core';
const USER_TIER = 4;

export const name = 'gemini-cli-core';
export const version = () => versionOf('gemini-core', PACKAGE);

/** @returns {Promise<Judge>} */
export async function make() {
  const core = await load('gemini-core', PACKAGE, 'dist/index.js');
  // The program silences this as well; otherwise every check prints.
  console.debug = () => {};
  await core.initializeShellParsers();
  const engines = new Map();
  for (const rules of RULES) engines.set(rules, await engineOf(core, rules));
  let serial = 0;

  return {
    async check(rules, number) {
      const engine = engines.get(rules);
      const kind = KINDS[number];
      if (!engine || !kind) throw new Error('no such check');
      const last = lastOf(rules);
      for (let check = 0; check < CHECKS; check++) {
        const command = kind.line(last, serial++);
        const call =
          kind.about === 'tool'
            ? { name: `tool_${last}`, args: {} }
            : { name: 'run_shell_command', args: { command } };
        const { decision } = await engine.check(call, undefined);
        if (decision !== core.PolicyDecision.ALLOW) throw new Error(`${kind.what}: ${decision}`);
      }
    },
  };
}

/** @param {any} core @param {number} rules */
async function engineOf(core, rules) {
  const directory = mkdtempSync(join(tmpdir(), 'bench-judge-'));
  writeFileSync(join(directory, 'bench.toml'), policyText(rules));
  const loaded = await core.loadPoliciesFromToml([directory], () => USER_TIER);
  rmSync(directory, { recursive: true, force: true });
  if (loaded.rules.length !== rules) throw new Error(`${loaded.rules.length} of ${rules} rules were loaded`);
  return new core.PolicyEngine({ rules: loaded.rules, approvalMode: core.ApprovalMode.DEFAULT });
}
