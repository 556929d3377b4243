import { useState } from 'react';

/** A choice of how things look, stored by this browser; without storage, the first choice is the default. */
export function useKept<T extends string>(name: string, choices: Choices<T>): [T, (choice: T) => void] {
  const [chosen, setChosen] = useState<T>(() => keptChoice(name, choices));
  const choose = (choice: T) => {
    setChosen(choice);
    keep(name, choice);
  };
  return [chosen, choose];
}

type Choices<T> = readonly [T, ...(readonly T[])];

export function keptChoice<T extends string>(name: string, choices: Choices<T>): T {
  try {
    const kept = localStorage.getItem(`countersign.${name}`);
    return choices.find((each) => each === kept) ?? choices[0];
  } catch {
    return choices[0];
  }
}

function keep(name: string, value: string): void {
  try {
    localStorage.setItem(`countersign.${name}`, value);
  } catch {
    // Without storage, the choice applies until the page is closed.
  }
}
