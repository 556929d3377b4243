import type { ModelContent } from '@countersign/protocol';

/**
 * One piece of content in Gemini's shape: structurally the `Part` of `@google/genai`, without depending on it. Members
 * that are not named here pass through unchanged.
 *
 * @example
 * ```ts
 * const part: Part = { text: 'Hello' };
 * ```
 */
export type Part = {
  readonly text?: string;
  readonly thought?: boolean;
  readonly thoughtSignature?: string;
  readonly inlineData?: { readonly mimeType?: string; readonly data?: string; readonly displayName?: string };
  readonly fileData?: {
    readonly mimeType?: string;
    readonly fileUri?: string;
    readonly displayName?: string;
  };
  readonly functionCall?: {
    readonly id?: string;
    readonly name?: string;
    readonly args?: Record<string, unknown>;
  };
  readonly functionResponse?: {
    readonly id?: string;
    readonly name?: string;
    readonly response?: Record<string, unknown>;
  };
};

/**
 * One part of the response to a call: the function response itself, or content that is sent beside it.
 *
 * @example
 * ```ts
 * const parts: readonly FunctionResponsePart[] = completed.response.responseParts;
 * ```
 */
export type FunctionResponsePart = Part;

/** A part, or text that stands for one. */
export type PartUnion = Part | string;

/**
 * Content as it may be given: one piece or several.
 *
 * @example
 * ```ts
 * const content: PartListUnion = ['Look at this:', { inlineData: { mimeType: 'image/png', data: 'AAAA' } }];
 * ```
 */
export type PartListUnion = PartUnion | readonly PartUnion[];

/**
 * What a tool handed back, piece by piece. A tool of another author may return anything: what is not a part, or has a
 * known member of the wrong type (which the wire would refuse), becomes its JSON text instead of being lost.
 */
export function piecesOf(content: PartListUnion | ModelContent): PartUnion | readonly PartUnion[] {
  return isList(content) ? content.map(pieceOf) : pieceOf(content);
}

function pieceOf(value: unknown): PartUnion {
  if (typeof value === 'string') return value;
  if (isPart(value)) return value;
  return JSON.stringify(value) ?? '';
}

const isList = (value: unknown): value is readonly unknown[] => Array.isArray(value);

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

function isPart(value: unknown): value is Part {
  if (!isObject(value) || isList(value)) return false;
  return Object.entries(MEMBERS).every(([key, fits]) => isAbsentOr(fits, value, key));
}

type Check = (value: unknown) => boolean;
const isText: Check = (value) => typeof value === 'string';
const isRecord: Check = (value) => isObject(value) && !isList(value);
const hasOnly =
  (members: { readonly [key: string]: Check }): Check =>
  (value) =>
    isObject(value) && Object.entries(members).every(([key, fits]) => isAbsentOr(fits, value, key));

/** A member added to `Part` needs its check here. */
const MEMBERS: { readonly [K in keyof Part]-?: Check } = {
  text: isText,
  thought: (value) => typeof value === 'boolean',
  thoughtSignature: isText,
  inlineData: hasOnly({ mimeType: isText, data: isText, displayName: isText }),
  fileData: hasOnly({ mimeType: isText, fileUri: isText, displayName: isText }),
  functionCall: hasOnly({ id: isText, name: isText, args: isRecord }),
  functionResponse: hasOnly({ id: isText, name: isText, response: isRecord }),
};

function isAbsentOr(fits: Check, holder: object, key: string): boolean {
  const member: unknown = Reflect.get(holder, key);
  return member === undefined || fits(member);
}
