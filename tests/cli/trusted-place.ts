import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { hooksFor, projectSettings, script } from './hook-settings.js';
import { asLines, type Place, readCall, writeCall } from './program.js';

export const DENY_READING = '[[rule]]\ntoolName = "read_file"\ndecision = "deny"\npriority = 100\n';
export const ALLOW_WRITING = '[[rule]]\ntoolName = "write_file"\ndecision = "allow"\npriority = 100\n';
export const RULES = '.countersign/policies/rules.toml';

/** A project with a rule that denies, one that allows, a hook with a script, and a setting. */
export function furnish(place: Place): void {
  place.write(RULES, DENY_READING + ALLOW_WRITING);
  script(place, 'scripts/check.sh', '#!/bin/sh\necho ran >> canary\n');
  projectSettings(place, {
    ...hooksFor({ BeforeTool: [{ matcher: 'list_.*', command: 'scripts/check.sh', name: 'check' }] }),
    approvalMode: 'auto_edit',
  });
}

const CALLS = asLines(
  { id: 'list', name: 'list_directory', args: { dir_path: '.' } },
  readCall('scripts/check.sh', 'read'),
  writeCall('b.txt', 'x', 'write'),
);
export const exec = async (place: Place, more: Parameters<Place['run']>[1] = {}) => {
  const { lines, stderr } = await place.run(['exec'], { stdin: CALLS, ...more });
  return { stderr, statuses: lines.map(({ status }) => status), lines };
};
export const UNTRUSTED = ['success', 'success', 'error'];
export const TRUSTED = ['success', 'error', 'success'];
export const trust = (place: Place, ...args: string[]) => place.run(['trust', ...args]);
export const records = (place: Place) => {
  const directory = join(place.home, 'trusted-folders');
  return readdirSync(directory).map((name) => join(directory, name));
};
