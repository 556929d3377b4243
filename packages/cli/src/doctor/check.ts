import { explain, type Failure } from '@countersign/protocol';

/** The result of one check. */
export type Check = {
  readonly name: string;
  /** 'note': something optional is missing or limited. 'problem': a required part does not work. */
  readonly state: 'ok' | 'note' | 'problem';
  readonly text: string;
  /** What to do about it; null if nothing needs to be done. */
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
