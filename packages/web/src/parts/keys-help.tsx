import { useRef } from 'react';
import { goTo } from '../navigation/current-route.js';
import { useShortcuts } from './shortcuts.js';

const KEYS: readonly (readonly [string, readonly (readonly [string, string])[]])[] = [
  [
    'Everywhere',
    [
      ['I', 'the inbox'],
      ['S', 'the sessions'],
      ['?', 'these keys'],
    ],
  ],
  [
    'In the inbox',
    [
      ['J or ↓', 'the next question'],
      ['K or ↑', 'the previous question'],
    ],
  ],
  [
    'On a question',
    [
      ['A', 'allow once'],
      ['E', 'change it, then allow'],
      ['D', 'decline, with feedback for the model'],
      ['W', 'why it is asked'],
      ['Ctrl Enter', 'allow as changed'],
      ['Esc', 'back without answering'],
    ],
  ],
  [
    'In a message',
    [
      ['Enter', 'send'],
      ['Shift Enter', 'a new line'],
      ['@', 'a file; ↑ ↓ choose, Tab takes it'],
    ],
  ],
];

/** Which keys do what; comes up with `?`. The two that lead somewhere else are at home here as well. */
export function KeysHelp() {
  const dialog = useRef<HTMLDialogElement>(null);
  const open = () => dialog.current?.showModal();
  useShortcuts({
    '?': open,
    i: () => goTo({ view: 'inbox' }),
    s: () => goTo({ view: 'sessions' }),
  });
  return (
    <>
      <button type="button" className="quiet keys-button" aria-label="Keys" title="Keys" onClick={open}>
        ?
      </button>
      <dialog ref={dialog} className="keys-help" aria-labelledby="keys-heading">
        <form method="dialog">
          <h2 id="keys-heading">Keys</h2>
          <button type="submit" className="quiet">
            Close
          </button>
        </form>
        <div className="keys-groups">
          {KEYS.map(([where, keys]) => (
            <section key={where} aria-label={where}>
              <h3>{where}</h3>
              <dl>
                {keys.map(([key, does]) => (
                  <div key={key}>
                    <dt>
                      <kbd>{key}</kbd>
                    </dt>
                    <dd>{does}</dd>
                  </div>
                ))}
              </dl>
            </section>
          ))}
        </div>
        <p className="note">
          Letter keys are ignored while you type in a field, and until a question has been visible.
        </p>
      </dialog>
    </>
  );
}
