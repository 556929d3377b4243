import type { SessionDirectory } from '../planning/session-directory.js';
import { wordsOf } from '../values/plain.js';
import type { OpenOptions } from './open-options.js';

/** Tools and hooks may keep something running for the session. What they cannot end is reported as trouble and blocks nothing. */
export async function leaveTools(
  { sessionId, tools, hooks, onTrouble }: Pick<OpenOptions, 'sessionId' | 'tools' | 'hooks' | 'onTrouble'>,
  kept: SessionDirectory,
): Promise<void> {
  const leaving = { sessionId, sessionDirectory: kept.path };
  for (const tool of tools.all()) {
    if (!tool.leave) continue;
    try {
      await tool.leave(leaving);
    } catch (thrown) {
      onTrouble?.({ code: 'unhandled_exception', message: wordsOf(thrown) });
    }
  }
  await hooks?.leave();
  await kept.leave().catch(() => undefined);
}
