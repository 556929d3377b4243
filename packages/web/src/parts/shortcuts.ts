import { useLayoutEffect, useRef } from 'react';

/** Keyboard shortcuts. A key that is held counts once; none counts while the user types or a dialog is open. */
export function useShortcuts(keys: { readonly [key: string]: () => void }, isOn = true): void {
  const latest = useRef(keys);
  latest.current = keys;
  // Before the first paint: a key that is pressed as soon as the view is visible counts.
  useLayoutEffect(() => {
    if (!isOn) return;
    const press = (event: KeyboardEvent) => {
      if (event.repeat || event.ctrlKey || event.metaKey || event.altKey || isTyping(event)) return;
      const act = latest.current[event.key];
      if (!act || document.querySelector('dialog[open]')) return;
      event.preventDefault();
      act();
    };
    window.addEventListener('keydown', press);
    return () => window.removeEventListener('keydown', press);
  }, [isOn]);
}

/** Looks inside the editor, too, which has a root of its own. */
function isTyping(event: KeyboardEvent): boolean {
  const [target] = event.composedPath();
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable || ['INPUT', 'TEXTAREA', 'SELECT'].includes(target.tagName))
  );
}
