import { useMemo, useRef, useState } from 'react';
import type { Key } from '../input/keys.js';
import type { QuestionOnScreen } from '../screen/blocks.js';
import { useScreen } from '../screen/screen-context.js';

/** Who typed so shortly before a question came up was typing something else, and continues with it. */
const WAS_TYPING_MS = 600;
/** A question that is there for so long, and a pause of this length: a user who types now has seen it. */
const SEEN_AFTER_MS = 500;
const PAUSE_MS = 350;
/** Nobody reads a question and answers it sooner: what comes by then was on its way before there was one. */
const UNREAD_MS = 250;

export type Armed = {
  /** For `Rows`: says when they were written to the terminal. */
  readonly onScreen: QuestionOnScreen;
  /** Whether they were. */
  readonly isShown: boolean;
  /** For whom a key is: what has come up on the screen, the prompt that was being typed in, or nobody. */
  readonly keyIs: (key: Key) => 'mine' | 'below' | 'nobody';
};

/**
 * A question is not answered by who has not seen it, because it was not written yet or because they were typing, nor by
 * whose finger still lies on the key that answered the one before. `part` counts questions that are put one after the other.
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
  const keyIs: Armed['keyIs'] = (key) => {
    if (onScreen.shownAt === null && key.name !== 'escape') return notMine(key);
    const shownMs = first.shownAt === null ? 0 : performance.now() - first.shownAt;
    // A no does no harm, even if it was meant for something else.
    if (shownMs < UNREAD_MS && key.name !== 'escape') armed.current = false;
    else armed.current ||= shownMs > SEEN_AFTER_MS && keyboard.idleMs() > PAUSE_MS;
    return armed.current ? 'mine' : notMine(key);
  };
  const notMine = (key: Key): 'below' | 'nobody' => {
    const isTyping = key.name === 'text' || key.name === 'paste' || key.name === 'backspace';
    return isTyping && keyboard.lastLevel === 'prompt' ? 'below' : 'nobody';
  };
  return { onScreen, isShown: shown === part, keyIs };
}
