import { DECISIONS } from '@countersign/client';
import type { RuleRef } from '@countersign/protocol';
import type { AnswerOf } from '@countersign/server/client';
import { OneLine } from '../parts/lines.js';

type Explained = AnswerOf<'explainPolicy'>;

/** The decision about a call, and every rule that was considered. */
export function Explanation({ explained }: { readonly explained: Explained }) {
  const { decision, reasons, commands, trace, mode, tool } = explained;
  return (
    <section className="explanation" aria-label="What the rules say">
      <p>
        <span className={`badge ${decision}`}>{DECISIONS[decision]}</span> {tool} in {mode} mode
      </p>
      <ul>
        {reasons.map((reason) => (
          <li key={reason}>
            <OneLine text={reason} />
          </li>
        ))}
      </ul>
      {commands.length > 0 && <Commands commands={commands} />}
      <div className="table-scroll" tabIndex={0} role="region" aria-label="Rules considered">
        <table>
          <caption>Rules in the order in which they were considered</caption>
          <thead>
            <tr>
              <th scope="col">Counted</th>
              <th scope="col">Rule</th>
              <th scope="col">Why</th>
            </tr>
          </thead>
          <tbody>
            {trace.map(({ rule, met, why }, index) => (
              <tr key={index} className={met ? 'met' : 'dim'}>
                <td>{met ? 'yes' : 'no'}</td>
                <td>
                  <RuleName rule={rule} />
                </td>
                <td>
                  <OneLine text={why} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}

function Commands({ commands }: { readonly commands: Explained['commands'] }) {
  return (
    <div className="table-scroll" tabIndex={0} role="region" aria-label="Commands">
      <table>
        <caption>Commands that the line would run</caption>
        <tbody>
          {commands.map(({ text, decision, reason }, index) => (
            <tr key={index}>
              <td>
                <span className={`badge ${decision}`}>{DECISIONS[decision]}</span>
              </td>
              <td>
                <code>
                  <OneLine text={text} />
                </code>
              </td>
              <td>
                <OneLine text={reason} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function RuleName({ rule }: { readonly rule: RuleRef | null }) {
  if (rule === null) return <>built in</>;
  const { name, tier, file, line } = rule;
  return (
    <>
      {name ?? 'rule'}{' '}
      <span className="dim">
        {tier}, {file.split('/').at(-1)}:{line}
      </span>
    </>
  );
}
