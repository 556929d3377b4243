import type { ApiError, Client } from '@countersign/server/client';
import { PAIRING_FRAGMENT } from '@countersign/server/client';
import { useEffect, useId, useState } from 'react';
import { App } from './app.js';
import { type Services, ServicesContext } from './connection/services.js';
import { Problem } from './parts/problem.js';
import { startServices } from './start-services.js';

type State =
  | { readonly state: 'coming in' }
  | { readonly state: 'signed out'; readonly problem: ApiError | null }
  | { readonly state: 'unreachable'; readonly problem: ApiError }
  | { readonly state: 'in'; readonly services: Services };

const RETRY_MS = 1_000;

/** Lets in who has a cookie, or a link that gives one; tells everybody else how to get it. */
export function Entrance({ api }: { readonly api: Client }) {
  const [state, setState] = useState<State>({ state: 'coming in' });
  const [code, setCode] = useState(takeCode);
  const [round, setRound] = useState(0);

  // A round is a reason to try again.
  useEffect(() => {
    const stop = new AbortController();
    let timer: ReturnType<typeof setTimeout> | null = null;
    const enter = async () => {
      const next = await comeIn(api, code, stop.signal);
      if (stop.signal.aborted) return;
      setState(next);
      if (next.state === 'unreachable') timer = setTimeout(() => setRound(round + 1), RETRY_MS);
    };
    void enter();
    return () => {
      stop.abort();
      if (timer !== null) clearTimeout(timer);
    };
  }, [api, code, round]);

  switch (state.state) {
    case 'coming in':
      return (
        <main className="entrance">
          <p role="status">Signing in…</p>
        </main>
      );
    case 'unreachable':
      return (
        <main className="entrance">
          <h1>Countersign</h1>
          <Problem problem={state.problem} />
          <p>This page tries again by itself.</p>
        </main>
      );
    case 'signed out':
      return <SignedOut problem={state.problem} onCode={setCode} />;
    case 'in':
      return (
        <ServicesContext value={state.services}>
          <App onSignedOut={(problem) => setState({ state: 'signed out', problem })} />
        </ServicesContext>
      );
  }
}

/** Taken out of the address at once: it works only once, and is not for the history. */
function takeCode(): string | null {
  const code = codeIn(window.location.hash);
  if (code !== null) window.history.replaceState(null, '', window.location.pathname);
  return code;
}

function codeIn(link: string): string | null {
  const at = link.indexOf(`#${PAIRING_FRAGMENT}`);
  return at < 0 ? null : link.slice(at + 1 + PAIRING_FRAGMENT.length);
}

async function comeIn(api: Client, code: string | null, signal: AbortSignal): Promise<State> {
  const signedIn = code === null ? null : await api.signIn({ body: { code } }, { signal });
  const me = await api.whoAmI({}, { signal });
  if (me.ok) return { state: 'in', services: startServices(api, me.value, signal) };
  if (me.error.status !== 401) return { state: 'unreachable', problem: me.error };
  return { state: 'signed out', problem: signedIn && !signedIn.ok ? signedIn.error : null };
}

function SignedOut({
  problem,
  onCode,
}: {
  readonly problem: ApiError | null;
  readonly onCode: (code: string) => void;
}) {
  const id = useId();
  const [text, setText] = useState('');
  return (
    <main className="entrance">
      <h1>Countersign</h1>
      <p>
        This browser is not signed in. Open the link that <code>countersign serve</code> printed where it was
        started; it works once. Press Enter there for a new one.
      </p>
      {problem && <Problem problem={problem} />}
      <form
        onSubmit={(event) => {
          event.preventDefault();
          onCode(codeIn(text) ?? text.trim());
        }}
      >
        <label htmlFor={id}>Or paste the link here</label>
        <input id={id} value={text} autoComplete="off" onChange={({ target }) => setText(target.value)} />
        <button type="submit" className="yes" disabled={text.trim() === ''}>
          Sign in
        </button>
      </form>
    </main>
  );
}
