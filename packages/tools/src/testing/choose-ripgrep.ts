import { CHOICE_VARIABLE } from '../ripgrep/find-ripgrep.js';

export const RIPGREP_CHOICES = ['with ripgrep', 'without ripgrep'] as const;

/** Holds for this process until what it gives is called. */
export function chooseRipgrep(choice: (typeof RIPGREP_CHOICES)[number]): () => void {
  const saved = process.env[CHOICE_VARIABLE];
  process.env[CHOICE_VARIABLE] = choice === 'with ripgrep' ? '' : 'none';
  return () => {
    if (saved === undefined) delete process.env[CHOICE_VARIABLE];
    else process.env[CHOICE_VARIABLE] = saved;
  };
}
