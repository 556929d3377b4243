import { useCallback, useState } from 'react';
import type { OnTerminal } from './ports.js';

/** The terminal, as far as it can be given to another program. */
export type TerminalHold = {
  /** Releases it as a shell would, with a line that names what is running. */
  readonly release: () => void;
  readonly take: () => void;
};

/** By then the screen has been drawn without anything that would be drawn over later. */
const DRAWN_MS = 100;

/** While another program has the terminal, nothing is drawn: the scrollback waits, too. */
export function useHandOver(hold: TerminalHold): {
  readonly isAway: boolean;
  readonly onTerminal: OnTerminal;
} {
  const [isAway, setAway] = useState(false);
  const onTerminal = useCallback(async () => {
    setAway(true);
    await new Promise((resolve) => setTimeout(resolve, DRAWN_MS));
    hold.release();
    return () => {
      hold.take();
      setAway(false);
    };
  }, [hold]);
  return { isAway, onTerminal };
}
