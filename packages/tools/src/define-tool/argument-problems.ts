import { type ArgumentIssue, describeIssues } from '@countersign/host';
import type { JsonObject } from '@countersign/protocol';
import type { z } from 'zod';

type Wrong = {
  readonly tool: string;
  readonly schema: JsonObject;
  readonly args: unknown;
  readonly issues: readonly z.core.$ZodIssue[];
};

/** Which argument is wrong and what is expected instead, one sentence each. */
export const argumentProblems = ({ issues, ...about }: Wrong): string[] =>
  describeIssues({ ...about, issues: issues.flatMap(issuesOf) });

function issuesOf(issue: z.core.$ZodIssue): ArgumentIssue[] {
  if (issue.code === 'unrecognized_keys')
    return issue.keys.map((key) => ({ type: 'unknown', path: [...issue.path, key] }));
  if (issue.code === 'custom') return [{ type: 'stated', text: issue.message }];
  return [{ type: 'wrong', path: issue.path }];
}
