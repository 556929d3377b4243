import { readFile } from 'node:fs/promises';
import { type PolicySource, parsePolicyFile, Toolbox } from '@countersign/engine';
import { builtInTools } from '@countersign/tools';
import { policyFor, policySources } from '../compose/compose.js';
import type { InForce } from '../compose/in-force.js';
import { CommandFailure } from '../io/failure-text.js';
import type { SettingsNotice } from '../settings/settings-file.js';
import { type Check, failed, note, ok, problem } from './check.js';

/** Checks rules, hooks, and whether this folder is trusted. */
export async function checkRules(
  inForce: InForce,
  untrusted: string | null,
  env: NodeJS.ProcessEnv,
): Promise<readonly Check[]> {
  return [
    ...(await checkPolicy(inForce, env)),
    ...(await tried('hooks', () => checkHooks(inForce))),
    untrusted === null
      ? ok(
          'trust',
          inForce.isTrusted ? 'This folder is trusted.' : 'This folder contains nothing that requires trust.',
        )
      : note('trust', untrusted, 'Run countersign trust to review it.'),
  ];
}

async function checkPolicy({ policies }: InForce, env: NodeJS.ProcessEnv): Promise<readonly Check[]> {
  const notices: SettingsNotice[] = [];
  const origins = {
    policyFiles: [],
    ofWorkspace: policies,
    env,
    onNotice: (notice: SettingsNotice) => void notices.push(notice),
  };
  return tried('policy', async () => {
    await policyFor(origins, new Toolbox(builtInTools()));
    const sources = await policySources(origins);
    const counts = await Promise.all(sources.map(rulesIn));
    const rules = counts.reduce((sum, count) => sum + count, 0);
    const files = sources.filter(({ text }) => text === undefined).length + policies.length;
    const others = files === 0 ? 'no others' : `those of ${files} ${files === 1 ? 'file' : 'files'}`;
    return [
      ok('policy', `${rules} rules are active: the default rules, and ${others}.`),
      ...notices.map(({ file, line, text }) =>
        note('policy', `${file}:${line}: ${text}`, 'Check that line.'),
      ),
    ];
  });
}

async function rulesIn(source: PolicySource): Promise<number> {
  const text = source.text ?? (await readFile(source.file, 'utf8'));
  const parsed = await parsePolicyFile(text, source);
  return parsed.ok ? parsed.rules.length : 0;
}

async function checkHooks(inForce: InForce): Promise<readonly Check[]> {
  const { hooks } = await inForce.hooks();
  return [
    ok(
      'hooks',
      hooks.length === 0
        ? 'None are configured.'
        : `${hooks.length} ${hooks.length === 1 ? 'is' : 'are'} configured.`,
    ),
  ];
}

/** A file that cannot be read stops every session, so it is a problem. */
async function tried(name: string, look: () => Promise<readonly Check[]>): Promise<readonly Check[]> {
  try {
    return await look();
  } catch (thrown) {
    if (thrown instanceof CommandFailure) return [failed(name, thrown.failure)];
    if (thrown instanceof Error && 'code' in thrown)
      return [problem(name, `${thrown.message}.`, 'Make it readable, or remove it.')];
    throw thrown;
  }
}
