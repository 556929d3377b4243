import { useEffect } from 'react';
import { keptChoice, useKept } from './use-kept.js';

export const THEMES = ['system', 'light', 'dark'] as const;
export type Theme = (typeof THEMES)[number];

/** As the system is set, unless the user chose one. */
export function useTheme(): [Theme, (theme: Theme) => void] {
  const [theme, setTheme] = useKept('theme', THEMES);
  useEffect(() => show(theme), [theme]);
  return [theme, setTheme];
}

/** Called before the first rendering, so that the page does not flash in the other theme. */
export const applyTheme = (): void => show(keptChoice('theme', THEMES));

function show(theme: Theme): void {
  if (theme === 'system') delete document.documentElement.dataset['theme'];
  else document.documentElement.dataset['theme'] = theme;
}
