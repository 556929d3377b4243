import { createContext, useContext, useEffect, useRef } from 'react';
import type { Keyboard, KeyListener, Level } from '../input/keyboard.js';
import { PALETTES, type Palette } from '../text/palette.js';

/** What every part of the screen needs to know of it. */
export type ScreenParts = {
  readonly keyboard: Keyboard;
  readonly palette: Palette;
  readonly columns: number;
  readonly rows: number;
};

export const ScreenContext = createContext<ScreenParts | null>(null);

export function useScreen(): ScreenParts {
  const parts = useContext(ScreenContext);
  if (!parts) throw new Error('nothing can be drawn outside a screen');
  return parts;
}

export const usePalette = (): Palette => useContext(ScreenContext)?.palette ?? PALETTES.plain;

/** Hears keys as long as it is drawn. */
export function useKeys(listener: KeyListener, level: Level): void {
  const { keyboard } = useScreen();
  const latest = useRef(listener);
  latest.current = listener;
  useEffect(() => keyboard.listen((key) => latest.current(key), level), [keyboard, level]);
}
