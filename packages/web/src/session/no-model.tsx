import { useServices } from '../connection/services.js';
import { useStore } from '../connection/store.js';

/** Shown when no model is configured: what to do about it, and what is possible without one. */
export function NoModel() {
  const model = useStore(useServices().model);
  if (model !== null) return null;
  return (
    <aside className="no-model" aria-label="No model">
      <p>
        <strong>No model is configured, so messages get no response yet.</strong> Start the server again with
        a key in its environment (<code>GEMINI_API_KEY</code>, <code>ANTHROPIC_API_KEY</code> or{' '}
        <code>OPENAI_API_KEY</code>), or start Ollama on this machine.
      </p>
      <p>
        Everything else works: the demonstration, tools that you call yourself, and approvals of every program
        on this machine that needs one.
      </p>
    </aside>
  );
}
