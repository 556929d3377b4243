import { useRef } from 'react';
import type { Key } from '../input/keys.js';
import { useScreen } from '../screen/screen-context.js';

/** Who typed so shortly before a question came up was typing something else, and goes on with it. */
const WAS_TYPING_MS = 600;
/** A question that is there for so long, and a pause of this length: whoever types now has seen it. */
const SEEN_AFTER_MS = 500;
const PAUSE_MS = 350;
/** Nobody reads a question and answers it sooner: what comes by then was on its way before there was one. */
const UNREAD_MS = 250;

/**
 * For whom a key is: what has come up on the screen, the prompt that was being typed in, or nobody. A question is not
 * answered by who has not seen it, nor by whose finger still lies on the key that answered the one before.
 */
export function useArmed(): (key: Key) => 'mine' | 'below' | 'nobody' {
  const { keyboard } = useScreen();
  const armed = useRef<boolean | null>(null);
  const shownAt = useRef(performance.now()).current;
  armed.current ??= keyboard.idleMs() > WAS_TYPING_MS;
  return (key) => {
    const shownMs = performance.now() - shownAt;
    // A no does no harm, even if it was meant for something else.
    if (shownMs < UNREAD_MS && key.name !== 'escape') armed.current = false;
    else armed.current ||= shownMs > SEEN_AFTER_MS && keyboard.idleMs() > PAUSE_MS;
    if (armed.current) return 'mine';
    const isTyping = key.name === 'text' || key.name === 'paste' || key.name === 'backspace';
    return isTyping && keyboard.lastLevel === 'prompt' ? 'below' : 'nobody';
  };
}
