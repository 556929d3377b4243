import type { HooksRead } from '@countersign/hooks';
import { invalid, type SettingsFile, type SettingsNotice } from './settings-file.js';

/**
 * Problems of the hooks in a file. An invalid hook throws, since the user may rely on it as a guard;
 * a setting without effect is a notice.
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

/** `hooks.BeforeTool[0].matcher` → the path of members. */
const stepsOf = (path: string): readonly (string | number)[] =>
  Array.from(path.matchAll(/\[(\d+)\]|([^.[\]]+)/g), ([, index, key]) =>
    index === undefined ? String(key) : Number(index),
  );
