import type { ApiError } from '@countersign/server/client';
import { useId, useState } from 'react';
import { preventingDefault } from './parts/preventing-default.js';
import { Problem } from './parts/problem.js';

/** How it comes that this browser is not signed in, as far as the page can know. */
export type SignedOutWhy = 'never' | 'no longer' | 'by choice';

/** How to sign in, in one command. */
export function SignedOut({
  why,
  problem,
  onLink,
}: {
  readonly why: SignedOutWhy;
  readonly problem: ApiError | null;
  readonly onLink: (link: string) => void;
}) {
  const id = useId();
  const [text, setText] = useState('');
  return (
    <main className="entrance">
      <h1>{TITLES[why]}</h1>
      <p>{REASONS[why]}</p>
      {problem && <Problem problem={problem} />}
      <h2>How to sign in</h2>
      <ol className="steps">
        <li>
          In a terminal on the machine where the server runs:
          <Command text={commandFor(window.location)} />
        </li>
        <li>Open the link that it prints in this browser. It works once, within ten minutes.</li>
      </ol>
      <form onSubmit={preventingDefault(() => onLink(text.trim()))}>
        <label htmlFor={id}>Or paste the link here</label>
        <input id={id} value={text} autoComplete="off" onChange={({ target }) => setText(target.value)} />
        <button type="submit" className="yes" disabled={text.trim() === ''}>
          Sign in
        </button>
      </form>
      <p className="dim hint">
        Where the server was started in a terminal, pressing Enter also prints such a link.
      </p>
    </main>
  );
}

/** The default address of a server. */
const USUAL = { host: '127.0.0.1', port: '7446' };

function commandFor({ origin, protocol, hostname, port }: Location): string {
  const command = 'countersign serve link';
  if (protocol !== 'http:' || hostname !== USUAL.host) return `${command} --url ${origin}`;
  return port === USUAL.port ? command : `${command} --port ${port}`;
}

const TITLES: { readonly [W in SignedOutWhy]: string } = {
  never: 'Sign in to Countersign',
  'no longer': 'This browser is no longer signed in',
  'by choice': 'You are signed out',
};

const REASONS: { readonly [W in SignedOutWhy]: string } = {
  never:
    'This browser is not signed in. Each browser signs in once; a private window, or one whose site data was cleared, signs in again.',
  'no longer':
    'It was signed out, its token was changed or removed, or it was not used for thirty days. Pending approvals stay pending.',
  'by choice':
    'All windows of this browser are signed out. Pending approvals stay pending, and running calls continue.',
};

function Command({ text }: { readonly text: string }) {
  const [isCopied, setCopied] = useState(false);
  // Browsers let pages copy only where the connection is safe.
  const canCopy = 'clipboard' in navigator;
  const copy = async () => {
    await navigator.clipboard.writeText(text);
    setCopied(true);
  };
  return (
    <div className="command-line">
      <code>{text}</code>
      {canCopy && (
        <button type="button" onClick={() => void copy().catch(() => setCopied(false))}>
          {isCopied ? 'Copied' : 'Copy'}
        </button>
      )}
    </div>
  );
}
