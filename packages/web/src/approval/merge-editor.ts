import { MergeView } from '@codemirror/merge';
import { EditorState, type Extension } from '@codemirror/state';
import { drawSelection, EditorView, highlightSpecialChars, keymap, lineNumbers } from '@codemirror/view';
import { undoKeys } from './undo-keys.js';

/** Everything that is not seen, or changes how the rest is seen, stands there as a mark in the editor, too. */
const UNSEEN = /[^\P{C}\t\n]|[\u115f\u1160\u2028\u2029\u2800\u3164\uffa0]|[^\P{Z} ]/gu;

export type MergeEditor = {
  readonly content: () => string;
  readonly focus: () => void;
  readonly destroy: () => void;
};

export type EditorOptions = {
  /** With a root of its own: there styles come from sheets, which the page's security policy lets pass. */
  readonly root: ShadowRoot;
  readonly original: string;
  readonly proposed: string;
  readonly label: string;
  readonly onChange: (content: string) => void;
  readonly onDone: () => void;
};

/** The file as it is, and beside it the proposed content, which can be changed. */
export function openMergeEditor(options: EditorOptions): MergeEditor {
  const { root, original, proposed, label, onChange, onDone } = options;
  const parent = document.createElement('div');
  root.append(parent);
  const merge = new MergeView({
    root,
    parent,
    a: {
      doc: original,
      extensions: [
        ...LOOK,
        EditorState.readOnly.of(true),
        EditorView.contentAttributes.of({ 'aria-label': 'The file as it is', tabindex: '0' }),
      ],
    },
    b: {
      doc: proposed,
      extensions: [
        ...LOOK,
        EditorState.lineSeparator.of(lineBreakOf(proposed)),
        undoKeys(),
        keymap.of([{ key: 'Mod-Enter', run: () => (onDone(), true) }]),
        EditorView.contentAttributes.of({ 'aria-label': label, 'aria-multiline': 'true' }),
        EditorView.updateListener.of((update) => {
          if (update.docChanged) onChange(update.state.sliceDoc());
        }),
      ],
    },
    highlightChanges: true,
    gutter: true,
    collapseUnchanged: { margin: 3, minSize: 8 },
  });
  return {
    content: () => merge.b.state.sliceDoc(),
    focus: () => merge.b.focus(),
    destroy: () => merge.destroy(),
  };
}

/** What is not changed comes out as it went in: where breaks are mixed, a carriage return is a character like others. */
const lineBreakOf = (text: string): string =>
  /\r\n/.test(text) && !/(^|[^\r])\n/.test(text) ? '\r\n' : '\n';

const LOOK: readonly Extension[] = [
  lineNumbers(),
  drawSelection(),
  highlightSpecialChars({ specialChars: UNSEEN }),
  EditorView.lineWrapping,
  EditorView.theme({
    '&': { backgroundColor: 'var(--surface)', color: 'var(--text)', fontSize: '13px' },
    '.cm-content': { fontFamily: 'var(--mono)', caretColor: 'var(--text)' },
    '.cm-gutters': { backgroundColor: 'var(--sunken)', color: 'var(--dim)', border: 'none' },
    '.cm-cursor': { borderLeftColor: 'var(--text)' },
    '&.cm-focused': { outline: '2px solid var(--accent)' },
    '.cm-selectionBackground, &.cm-focused .cm-selectionBackground': {
      backgroundColor: 'var(--selected) !important',
    },
    '&.cm-merge-b .cm-changedLine': { backgroundColor: 'var(--added)' },
    '&.cm-merge-a .cm-changedLine': { backgroundColor: 'var(--removed)' },
    '&.cm-merge-b .cm-changedText': { background: 'var(--added-strong)' },
    '&.cm-merge-a .cm-changedText': { background: 'var(--removed-strong)' },
    '.cm-collapsedLines': { color: 'var(--dim)', background: 'var(--sunken)' },
    '.cm-specialChar': { color: 'var(--bad)' },
  }),
];
