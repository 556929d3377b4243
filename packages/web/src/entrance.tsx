import { type ApiError, type Client, PAIRING_FRAGMENT } from '@countersign/server/client';
import { useCallback, useEffect, useState } from 'react';
import { App } from './app.js';
import type { BrowserSecret } from './connection/browser-secret.js';
import { onOtherWindow, tellOtherWindows } from './connection/other-windows.js';
import { type Services, ServicesContext } from './connection/services.js';
import { Problem } from './parts/problem.js';
import { SignedOut, type SignedOutWhy } from './signed-out.js';
import { startServices } from './start-services.js';

type State =
  | { readonly state: 'coming in' }
  | { readonly state: 'signed out'; readonly why: SignedOutWhy; readonly problem: ApiError | null }
  | { readonly state: 'unreachable'; readonly problem: ApiError }
  | { readonly state: 'in'; readonly services: Services };

const RETRY_MS = 1_000;

/** Shows the page to a browser that is signed in or has a sign-in link; any other browser sees how to get one. */
export function Entrance({ api, secret }: { readonly api: Client; readonly secret: BrowserSecret }) {
  const [state, setState] = useState<State>({ state: 'coming in' });
  // A new round tries again; a code works once.
  const [{ code, round }, setTry] = useState(() => ({ code: takeCode(), round: 0 }));
  const tryAgain = useCallback(() => setTry((before) => ({ code: null, round: before.round + 1 })), []);

  useEffect(() => {
    const stop = new AbortController();
    let timer: ReturnType<typeof setTimeout> | null = null;
    const enter = async () => {
      const next = await comeIn(api, secret, code, stop.signal);
      if (stop.signal.aborted) return;
      setState(next);
      if (next.state === 'unreachable')
        timer = setTimeout(() => setTry((before) => ({ ...before, round: before.round + 1 })), RETRY_MS);
    };
    void enter();
    return () => {
      stop.abort();
      if (timer !== null) clearTimeout(timer);
    };
  }, [api, secret, code, round]);
  useEffect(() => onOtherWindow(tryAgain), [tryAgain]);

  const refused = useCallback(
    (problem: ApiError) => {
      if (problem.status === 401) return tryAgain();
      setState({ state: 'unreachable', problem });
      setTimeout(tryAgain, RETRY_MS);
    },
    [tryAgain],
  );
  const signOut = async (): Promise<ApiError | null> => {
    const signedOut = await api.signOut({ body: {} });
    // 401: it was signed out already.
    if (!signedOut.ok && signedOut.error.status !== 401) return signedOut.error;
    await secret.forget();
    setState({ state: 'signed out', why: 'by choice', problem: null });
    tellOtherWindows();
    return null;
  };

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
          <p>This page retries automatically.</p>
        </main>
      );
    case 'signed out':
      return (
        <SignedOut
          why={state.why}
          problem={state.problem}
          onLink={(link) => setTry((before) => ({ code: codeIn(link) ?? link, round: before.round + 1 }))}
        />
      );
    case 'in':
      return (
        <ServicesContext value={state.services}>
          <App onRefused={refused} onSignOut={signOut} />
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

async function comeIn(
  api: Client,
  secret: BrowserSecret,
  code: string | null,
  signal: AbortSignal,
): Promise<State> {
  const hadSecret = secret.get() !== null;
  await secret.load();
  const signedIn = code === null ? null : await api.signIn({ body: { code } }, { signal });
  const isKept = signedIn?.ok ? await secret.keep(signedIn.value.secret) : true;
  if (signedIn?.ok) tellOtherWindows();
  const me = await api.whoAmI({}, { signal });
  if (me.ok) {
    const services = startServices(api, me.value, signal);
    if (!isKept) services.announcer.announce(NOT_KEPT);
    return { state: 'in', services };
  }
  if (me.error.status !== 401) return { state: 'unreachable', problem: me.error };
  const why = hadSecret || secret.get() !== null ? 'no longer' : 'never';
  return { state: 'signed out', why, problem: signedIn && !signedIn.ok ? signedIn.error : null };
}

const NOT_KEPT = 'This browser stores no data for this page: you are signed in until you close or reload it.';
