import type { SessionView } from '@countersign/react';
import { OneLine } from '../parts/lines.js';

const MARKS: { readonly [status: string]: string } = {
  completed: '✓',
  in_progress: '▸',
  cancelled: '–',
  blocked: '!',
};

/** The topic and the to-do list of the agent. */
export function AgendaPanel({ agenda: { topic, todos } }: Pick<SessionView, 'agenda'>) {
  if (topic === null && todos.length === 0) return null;
  const done = todos.filter(({ status }) => status === 'completed').length;
  return (
    <section className="agenda" aria-label="What the agent works on">
      {topic !== null && (
        <p>
          <strong>
            <OneLine text={topic} />
          </strong>
        </p>
      )}
      {todos.length > 0 && (
        <details open>
          <summary>
            {done} of {todos.length} steps done
          </summary>
          <ol>
            {todos.map(({ description, status }, index) => (
              <li key={index} aria-current={status === 'in_progress' ? 'step' : undefined}>
                {MARKS[status] ?? '·'} <OneLine text={description} />{' '}
                <span className="dim">{status.replaceAll('_', ' ')}</span>
              </li>
            ))}
          </ol>
        </details>
      )}
    </section>
  );
}
