import { explain, type Failure } from '@countersign/protocol';

/** What became of looking at one thing. */
export type Check = {
  readonly name: string;
  /** 'note': it does without, or less well. 'problem': something that is needed does not work. */
  readonly state: 'ok' | 'note' | 'problem';
  readonly text: string;
  /** What to do about it; null where there is nothing to be done. */
  readonly fix: string | null;
};

export const ok = (name: string, text: string): Check => ({ name, state: 'ok', text, fix: null });
export const note = (name: string, text: string, fix: string): Check => ({ name, state: 'note', text, fix });
export const problem = (name: string, text: string, fix: string): Check => ({
  name,
  state: 'problem',
  text,
  fix,
});

export function failed(name: string, failure: Failure): Check {
  const { message, hint } = explain(failure);
  return problem(name, message, hint);
}
