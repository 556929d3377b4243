import type { SessionStore } from '@countersign/react';
import { useState } from 'react';
import { useServices } from '../connection/services.js';
import { CallForm } from './call-form.js';
import { MessageForm } from './message-form.js';

type Way = 'message' | 'call';

/** Ways to go on: say something to the model, where there is one, or call a tool oneself. */
export function Composer({ store, workspace }: { readonly store: SessionStore; readonly workspace: string }) {
  const { model } = useServices().me;
  const [way, setWay] = useState<Way>(model === null ? 'call' : 'message');
  return (
    <section className="composer" aria-label="Go on">
      <div className="tabs" role="group" aria-label="How to go on">
        <button type="button" aria-pressed={way === 'message'} onClick={() => setWay('message')}>
          Message
        </button>
        <button type="button" aria-pressed={way === 'call'} onClick={() => setWay('call')}>
          Call a tool
        </button>
        <span className="dim model-name">{model ?? 'no model'}</span>
      </div>
      {way === 'call' ? (
        <CallForm store={store} />
      ) : model === null ? (
        <p className="empty">
          No model is set up. Start the server with a key in its environment (GEMINI_API_KEY,
          ANTHROPIC_API_KEY, OPENAI_API_KEY) or a local Ollama; until then, tools can be called by hand.
        </p>
      ) : (
        <MessageForm store={store} workspace={workspace} />
      )}
    </section>
  );
}
