import type { AnswerOf } from '@countersign/server/client';
import { useState } from 'react';
import { useServices } from '../connection/services.js';
import { Heading } from '../parts/heading.js';
import { OneLine } from '../parts/lines.js';
import { Problem, type ProblemText } from '../parts/problem.js';
import { Moment } from '../parts/times.js';
import { useLoaded } from '../parts/use-loaded.js';

type Grant = AnswerOf<'listGrants'>['grants'][number];

/** Permissions given by an "always" answer, and how to revoke them. */
export function GrantsView() {
  const { api, announcer } = useServices();
  const { loaded, reload } = useLoaded((signal) => api.listGrants({}, { signal }), [api]);
  const [problem, setProblem] = useState<ProblemText | null>(null);
  const revoke = async ({ id, text }: Grant) => {
    const revoked = await api.revokeGrant({ body: { grantId: id } });
    setProblem(revoked.ok ? null : revoked.error);
    if (revoked.ok) announcer.announce(`Revoked: ${text}`);
    reload();
  };
  return (
    <>
      <Heading>Grants</Heading>
      <p className="lead">
        Grants: permissions given by an “always” answer. Calls that they cover run without asking.
      </p>
      {problem && <Problem problem={problem} />}
      {loaded.state === 'loading' && <p role="status">Loading…</p>}
      {loaded.state === 'failed' && <Problem problem={loaded.error} />}
      {loaded.state === 'loaded' && loaded.value.grants.length === 0 && (
        <p className="empty">There are none. “Allow always” on a question creates one.</p>
      )}
      {loaded.state === 'loaded' && loaded.value.grants.length > 0 && (
        <ul className="rows">
          {loaded.value.grants.map((grant) => (
            <li key={grant.id} className="grant">
              <div>
                <strong>
                  <OneLine text={grant.text} />
                </strong>
                <p className="dim">
                  {SCOPES[grant.scope]} <OneLine text={grant.scopeKey} />, given by{' '}
                  <OneLine text={grant.by} />, <Moment at={grant.at} />
                  {grant.uses !== null && `, ${grant.uses} more times`}
                  {grant.expiresAt !== null && (
                    <>
                      , until <Moment at={grant.expiresAt} />
                    </>
                  )}
                </p>
              </div>
              <button type="button" className="no" onClick={() => void revoke(grant)}>
                Take back<span className="unseen">: {grant.text}</span>
              </button>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

const SCOPES = {
  session: 'For the session',
  project: 'For every session in',
  user: 'For everything of this user',
} as const;
