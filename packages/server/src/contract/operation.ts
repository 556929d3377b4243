import { z } from 'zod';
import type { OperationName, Routes } from './routes.js';

/** What an operation takes and gives. */
export type Operation<
  Query extends z.ZodObject = z.ZodObject,
  Body extends z.ZodType | null = z.ZodType | null,
  Answer extends z.ZodType = z.ZodType,
> = {
  readonly summary: string;
  /** 'public': without signing in, too. */
  readonly access: 'signed in' | 'public';
  readonly query: Query;
  readonly body: Body;
  /** 'content': what people write or edit, which may be large. */
  readonly bodySize: 'small' | 'content';
  readonly status: 200 | 201 | 202;
  /** A stream is described by one of the things it consists of. */
  readonly answer: Answer;
  readonly answerType: AnswerType;
};
export type AnswerType =
  | 'application/json'
  | 'text/event-stream'
  | 'application/x-ndjson'
  | 'text/plain; version=0.0.4';

const NOTHING = z.strictObject({});

export function operation<
  Answer extends z.ZodType,
  Query extends z.ZodObject = typeof NOTHING,
  Body extends z.ZodType | null = null,
>(
  summary: string,
  given: {
    readonly answer: Answer;
    readonly query?: Query;
    readonly body?: Body;
    readonly access?: Operation['access'];
    readonly bodySize?: Operation['bodySize'];
    readonly status?: Operation['status'];
    readonly answerType?: AnswerType;
  },
): Operation<Query, Body, Answer> {
  return {
    summary,
    access: 'signed in',
    bodySize: 'small',
    status: 200,
    answerType: 'application/json',
    ...given,
    // The defaults of both values are the defaults of their types.
    query: (given.query ?? NOTHING) as Query,
    body: (given.body ?? null) as Body,
  };
}

/** Which query fields are numbers: in a URL all are text. One name means the same everywhere. */
export const NUMBER_FIELDS: readonly string[] = ['limit', 'after', 'since'];

/** The names in braces of a route. */
export type PathParameters<Route extends string> = Route extends `${string}{${infer Name}}${infer Rest}`
  ? Name | PathParameters<Rest>
  : never;

export type ParametersOf<N extends OperationName> = {
  readonly [P in PathParameters<Routes[N]['address']>]: string;
};
