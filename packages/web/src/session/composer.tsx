import type { ApprovalMode } from '@countersign/protocol';
import type { SessionStore } from '@countersign/react';
import { useState } from 'react';
import { useServices } from '../connection/services.js';
import { useStore } from '../connection/store.js';
import { CallForm } from './call-form.js';
import { MessageForm } from './message-form.js';
import { ModeSwitch } from './mode-switch.js';
import { NoModel } from './no-model.js';

type Way = 'message' | 'call';

/** Ways to continue: a message to the model, if there is one, or a tool call; and the approval mode. */
export function Composer({
  store,
  workspace,
  mode,
}: {
  readonly store: SessionStore;
  readonly workspace: string;
  readonly mode: ApprovalMode;
}) {
  const model = useStore(useServices().model);
  const [chosen, setChosen] = useState<Way | null>(null);
  const way = chosen ?? (model === null ? 'call' : 'message');
  return (
    <section className="composer" aria-label="Continue">
      <div className="composer-bar">
        <div className="tabs" role="group" aria-label="How to continue">
          <button type="button" aria-pressed={way === 'message'} onClick={() => setChosen('message')}>
            Message
          </button>
          <button type="button" aria-pressed={way === 'call'} onClick={() => setChosen('call')}>
            Call a tool
          </button>
        </div>
        <span className="dim model-name">{model ?? 'no model'}</span>
        <ModeSwitch store={store} mode={mode} />
      </div>
      {way === 'call' ? (
        <CallForm store={store} />
      ) : model === null ? (
        <NoModel />
      ) : (
        <MessageForm store={store} workspace={workspace} />
      )}
    </section>
  );
}
