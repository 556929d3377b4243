import { useMemo, useRef, useState } from 'react';
import type { Key } from '../input/keys.js';
import type { QuestionOnScreen } from '../screen/blocks.js';
import { useScreen } from '../screen/screen-context.js';

/** A user who typed this shortly before a question appeared was typing something else, and continues. */
const WAS_TYPING_MS = 600;
/** After this long on the screen, and a pause of this length, a user who types has seen the question. */
const SEEN_AFTER_MS = 500;
const PAUSE_MS = 350;
/** No user reads and answers sooner: a key that arrives within this time was pressed before the question appeared. */
export const UNREAD_MS = 250;

export type Armed = {
  /** For `Rows`: records when they were written to the terminal. */
  readonly onScreen: QuestionOnScreen;
  /** Whether they were. */
  readonly isShown: boolean;
  /** Which part a key is for: the question, the prompt that was being typed in, or none. */
  readonly keyTarget: (key: Key) => 'question' | 'prompt' | 'none';
};

/**
 * Ignores keys for a question that the user cannot have seen: it was not written yet, or they were typing, or they still
 * hold the key that answered the one before. `part` counts questions that are asked one after the other.
 */
export function useArmed(part = 0): Armed {
  const { keyboard } = useScreen();
  const armed = useRef<boolean | null>(null);
  const [shown, setShown] = useState<number | null>(null);
  const onScreen = useMemo(
    (): QuestionOnScreen => ({ shownAt: null, onShown: () => setShown(part) }),
    [part],
  );
  const first = useRef(onScreen).current;
  armed.current ??= keyboard.idleMs() > WAS_TYPING_MS;
  const keyTarget: Armed['keyTarget'] = (key) => {
    if (onScreen.shownAt === null && key.name !== 'escape') return otherTarget(key);
    const shownMs = first.shownAt === null ? 0 : performance.now() - first.shownAt;
    // A no does no harm, even if it was meant for something else.
    if (shownMs < UNREAD_MS && key.name !== 'escape') armed.current = false;
    else armed.current ||= shownMs > SEEN_AFTER_MS && keyboard.idleMs() > PAUSE_MS;
    return armed.current ? 'question' : otherTarget(key);
  };
  const otherTarget = (key: Key): 'prompt' | 'none' => {
    const isTyping = key.name === 'text' || key.name === 'paste' || key.name === 'backspace';
    return isTyping && keyboard.lastLevel === 'prompt' ? 'prompt' : 'none';
  };
  return { onScreen, isShown: shown === part, keyTarget };
}
