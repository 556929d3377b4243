import type { AnswerPayload } from '@countersign/protocol';
import { useState } from 'react';
import { Options } from '../parts/options.js';

const HOUR_MS = 3_600_000;
const SPANS = [
  ['never', 'Until it is revoked', null],
  ['hour', 'For one hour', HOUR_MS],
  ['day', 'For one day', 24 * HOUR_MS],
  ['week', 'For one week', 7 * 24 * HOUR_MS],
] as const;
type Span = (typeof SPANS)[number][0];

const USES_MAX = 1_000_000;

export type GrantLimits = {
  readonly span: Span;
  /** As typed; empty for any number. */
  readonly uses: string;
  readonly setSpan: (span: Span) => void;
  readonly setUses: (uses: string) => void;
  /** Null if the number of uses is not valid. */
  readonly payload: () => AnswerPayload | null;
};

export function useGrantLimits(): GrantLimits {
  const [span, setSpan] = useState<Span>('never');
  const [uses, setUses] = useState('');
  const payload = (): AnswerPayload | null => {
    const ms = SPANS.find(([name]) => name === span)?.[2] ?? null;
    const count = uses.trim() === '' ? null : Number(uses);
    if (count !== null && !(Number.isInteger(count) && count >= 1 && count <= USES_MAX)) return null;
    return { ...(ms !== null && { expiresAt: Date.now() + ms }), ...(count !== null && { uses: count }) };
  };
  return { span, uses, setSpan, setUses, payload };
}

/** Expiry and number of uses of an "always". */
export function GrantLimitFields({ limits }: { readonly limits: GrantLimits }) {
  const { span, uses, setSpan, setUses, payload } = limits;
  return (
    <>
      <label>
        Valid
        <select
          value={span}
          onChange={({ target }) => setSpan(SPANS.find(([name]) => name === target.value)?.[0] ?? 'never')}
        >
          <Options of={SPANS} />
        </select>
      </label>
      <label>
        Number of uses
        <input
          inputMode="numeric"
          placeholder="any"
          value={uses}
          aria-invalid={payload() === null}
          onChange={({ target }) => setUses(target.value)}
        />
      </label>
    </>
  );
}
