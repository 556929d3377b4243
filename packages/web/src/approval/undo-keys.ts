import { Annotation, type ChangeSet, type Extension, StateField } from '@codemirror/state';
import { type EditorView, keymap } from '@codemirror/view';

/** Changes that follow each other this fast are undone together. */
const TOGETHER_MS = 500;
/** More steps than a user undoes. */
const STEPS_MAX = 500;

type Step = { readonly back: ChangeSet; readonly at: number };
type Steps = { readonly done: readonly Step[]; readonly undone: readonly Step[] };

const going = Annotation.define<'back' | 'forth'>();

const steps = StateField.define<Steps>({
  create: () => ({ done: [], undone: [] }),
  update: ({ done, undone }, transaction) => {
    if (!transaction.docChanged) return { done, undone };
    const back = transaction.changes.invert(transaction.startState.doc);
    const step = { back, at: Date.now() };
    const direction = transaction.annotation(going);
    if (direction === 'back') return { done: done.slice(0, -1), undone: [...undone, step] };
    if (direction === 'forth') return { done: [...done, step], undone: undone.slice(0, -1) };
    const last = done.at(-1);
    if (last && step.at - last.at < TOGETHER_MS)
      return { done: [...done.slice(0, -1), { back: back.compose(last.back), at: step.at }], undone: [] };
    return { done: [...done, step].slice(-STEPS_MAX), undone: [] };
  },
});

/** Undo and redo. */
export function undoKeys(): Extension {
  const go = (direction: 'back' | 'forth') => (view: EditorView) => {
    const { done, undone } = view.state.field(steps);
    const step = (direction === 'back' ? done : undone).at(-1);
    if (step) view.dispatch({ changes: step.back, annotations: going.of(direction), scrollIntoView: true });
    return true;
  };
  return [
    steps,
    keymap.of([
      { key: 'Mod-z', run: go('back'), shift: go('forth') },
      { key: 'Mod-y', run: go('forth') },
    ]),
  ];
}
