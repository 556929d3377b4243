/** What is open in a session that no process works on. */
type Left = {
  readonly running: number;
  readonly queued: number;
  readonly questions: number;
  readonly unanswered: boolean;
};

/** What the last process left open, as one clause: "1 call was running, 2 calls were queued". */
export function leftText({ running, queued, questions, unanswered }: Left): string {
  const calls = (count: number, state: string) =>
    count === 0 ? [] : [count === 1 ? `1 call was ${state}` : `${count} calls were ${state}`];
  const pending = questions === 1 ? '1 question is pending' : `${questions} questions are pending`;
  return [
    ...calls(running, 'running'),
    ...calls(queued, 'queued'),
    ...(questions > 0 ? [pending] : []),
    ...(unanswered ? ['the model had not answered'] : []),
  ].join(', ');
}
