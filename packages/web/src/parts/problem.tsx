import { explain, type Failure } from '@countersign/protocol';

export type ProblemText = { readonly message: string; readonly hint: string };

/** What went wrong and what to do, where it went wrong. */
export const Problem = ({ problem }: { readonly problem: ProblemText }) => (
  <div className="problem" role="alert">
    <strong>{problem.message}</strong> {problem.hint}
  </div>
);

/** 'internal' carries the message of the server, or of the connection. */
export const problemOf = (failure: Failure): ProblemText =>
  failure.code === 'internal' ? { message: failure.message, hint: '' } : explain(failure);
