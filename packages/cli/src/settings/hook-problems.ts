import type { HooksRead } from '@countersign/hooks';
import { invalid, type SettingsFile, type SettingsNotice } from './settings-file.js';

/**
 * What is wrong with the hooks of a file. A hook that cannot be read is a guard that somebody believes to be there:
 * nothing continues without it. A setting without effect is reported.
 */
export function hookNotices(
  { problems }: HooksRead,
  { file, positionOf }: SettingsFile,
): readonly SettingsNotice[] {
  return problems.map(({ path, problem, effect }) => {
    const position = positionOf(stepsOf(path));
    if (effect === 'omitted') throw invalid(file, position, `${path}: ${problem}`);
    return { file, line: position.line, text: `${path}: ${problem}` };
  });
}

/** `hooks.BeforeTool[0].matcher` → the members on the way there. */
const stepsOf = (path: string): readonly (string | number)[] =>
  Array.from(path.matchAll(/\[(\d+)\]|([^.[\]]+)/g), ([, index, key]) =>
    index === undefined ? String(key) : Number(index),
  );
