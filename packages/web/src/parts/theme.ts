import { useEffect } from 'react';
import { useKept } from './use-kept.js';

export const THEMES = ['system', 'light', 'dark'] as const;
export type Theme = (typeof THEMES)[number];

/** As the system says, unless somebody chose. */
export function useTheme(): [Theme, (theme: Theme) => void] {
  const [theme, setTheme] = useKept('theme', THEMES);
  useEffect(() => show(theme), [theme]);
  return [theme, setTheme];
}

/** Before the first drawing, so that a dark room stays dark. */
export function applyTheme(): void {
  try {
    const kept = localStorage.getItem('countersign.theme');
    show(THEMES.find((each) => each === kept) ?? 'system');
  } catch {
    // A browser that keeps nothing has nothing to say.
  }
}

function show(theme: Theme): void {
  if (theme === 'system') delete document.documentElement.dataset['theme'];
  else document.documentElement.dataset['theme'] = theme;
}
