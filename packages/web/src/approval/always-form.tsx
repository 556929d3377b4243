import { type Choice, visibleLine } from '@countersign/display';
import { useId, useState } from 'react';
import { Options } from '../parts/options.js';
import type { Answering } from './asked.js';
import { GrantLimitFields, useGrantLimits } from './grant-limits.js';

type Always = Extract<Choice, { type: 'allow always' }>;

const SCOPES = [
  ['session', 'In this session'],
  ['project', 'In every session of this workspace'],
  ['user', 'In every session of every workspace'],
] as const;
type Scope = (typeof SCOPES)[number][0];

/** The second step of an "always": what it covers, where, how long and how often. The narrowest of all is preselected. */
export function AlwaysForm({
  choices,
  isSending,
  onAnswer,
}: {
  readonly choices: readonly Always[];
  readonly isSending: boolean;
  readonly onAnswer: Answering;
}) {
  const group = useId();
  const limits = useGrantLimits();
  const [covering, setCovering] = useState(0);
  const [wanted, setWanted] = useState<Scope>('session');
  const ways = choices[covering]?.ways ?? [];
  const way = ways.find(({ scope }) => scope === wanted) ?? ways[0];
  if (!way) return null;
  const limited = limits.payload();
  const payload = { ...way.payload, ...limited };
  return (
    <fieldset className="always-form">
      <legend>Allow always</legend>
      {choices.length > 1 &&
        choices.map(({ id, covers }, index) => (
          <label key={id} className="check">
            <input
              type="radio"
              name={group}
              checked={index === covering}
              onChange={() => setCovering(index)}
            />
            <span>{visibleLine(covers)}</span>
          </label>
        ))}
      <div className="filters">
        <label>
          Where
          <select
            value={way.scope}
            onChange={({ target }) =>
              setWanted(SCOPES.find(([scope]) => scope === target.value)?.[0] ?? 'session')
            }
          >
            <Options of={SCOPES.filter(([scope]) => ways.some((each) => each.scope === scope))} />
          </select>
        </label>
        <GrantLimitFields limits={limits} />
      </div>
      {limited === null && <p role="alert">The number of uses is a whole number from 1 on, or empty.</p>}
      <button
        type="button"
        className="always"
        disabled={isSending || limited === null}
        onClick={() => onAnswer(way.outcome, Object.keys(payload).length === 0 ? undefined : payload)}
      >
        <strong>Allow always</strong> {visibleLine(way.text)}
      </button>
    </fieldset>
  );
}
