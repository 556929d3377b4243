import { createContext, useContext, useEffect, useRef } from 'react';
import type { Keyboard, KeyListener, Level } from '../input/keyboard.js';
import type { Palette } from '../text/palette.js';
import type { Blocks } from './blocks.js';

/** What every part of the screen needs. */
export type ScreenParts = {
  readonly keyboard: Keyboard;
  readonly palette: Palette;
  readonly blocks: Blocks;
  readonly columns: number;
  readonly rows: number;
};

export const ScreenContext = createContext<ScreenParts | null>(null);

export function useScreen(): ScreenParts {
  const parts = useContext(ScreenContext);
  if (!parts) throw new Error('nothing can be drawn outside a screen');
  return parts;
}

/** Receives keys while the component is mounted. */
export function useKeys(listener: KeyListener, level: Level): void {
  const { keyboard } = useScreen();
  const latest = useRef(listener);
  latest.current = listener;
  useEffect(() => keyboard.listen((key) => latest.current(key), level), [keyboard, level]);
}
