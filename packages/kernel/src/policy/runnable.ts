import type { Confirmation } from '@countersign/protocol';
import { jsonText } from './json-text.js';

// A NUL ends a text where the system takes it, and half a character becomes another one: what runs would not be what
// was shown.
const NEVER_AS_SHOWN = /[\0\p{Cs}]/u;
const HALF_CHARACTER = /\p{Cs}/u;

/** Whether what is asked about can be done exactly as it is shown. If not, there is nothing to agree to. */
export function isRunnable(confirmation: Confirmation): boolean {
  const isSound = (...texts: readonly string[]) => !texts.some((text) => NEVER_AS_SHOWN.test(text));
  switch (confirmation.type) {
    case 'edit':
      // A file may well hold a NUL.
      return isSound(confirmation.filePath) && !HALF_CHARACTER.test(confirmation.newContent);
    case 'exec':
      return isSound(confirmation.command, confirmation.directory);
    case 'mcp':
      return isSound(confirmation.serverName, confirmation.toolName, jsonText(confirmation.toolArgs));
    case 'info':
      return isSound(confirmation.prompt, ...confirmation.urls);
    case 'ask_user':
    case 'exit_plan_mode':
      return true;
  }
}
