import { useState } from 'react';

/** A choice of how things look, kept by this browser. One that keeps nothing is no reason to fail. */
export function useKept<T extends string>(name: string, choices: readonly T[]): [T, (choice: T) => void] {
  const [first] = choices;
  if (first === undefined) throw new Error(`${name} has no choices`);
  const [chosen, setChosen] = useState<T>(() => choices.find((each) => each === kept(name)) ?? first);
  const choose = (choice: T) => {
    setChosen(choice);
    keep(name, choice);
  };
  return [chosen, choose];
}

function kept(name: string): string | null {
  try {
    return localStorage.getItem(`countersign.${name}`);
  } catch {
    return null;
  }
}

function keep(name: string, value: string): void {
  try {
    localStorage.setItem(`countersign.${name}`, value);
  } catch {
    // It holds until the page is closed.
  }
}
