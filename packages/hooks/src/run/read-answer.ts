import type { Json, JsonObject } from '@countersign/protocol';
import { z } from 'zod';
import type { HookAnswer } from '../hook/hook.js';

export type Reading =
  | { readonly type: 'silence' }
  | { readonly type: 'answer'; readonly answer: HookAnswer }
  /** Words that are not an attempt at a response in JSON: the log of a formatter, for one. */
  | { readonly type: 'text'; readonly text: string; readonly problem: string }
  | { readonly type: 'nonsense'; readonly problem: string };

/** What a hook printed, as an answer. Without a word on stdout, what stands on stderr counts if it is one. */
export function readAnswer(stdout: Uint8Array, stderr: string): Reading {
  const text = decode(stdout);
  if (text === null) return notAnObject(Buffer.from(stdout).toString('utf8').trim(), 'it is not UTF-8');
  if (text !== '') return readText(text);
  const logged = readText(stderr.trim());
  return logged.type === 'answer' ? logged : { type: 'silence' };
}

/** The answer of a hook that has nothing to say. */
export const NO_OPINION: HookAnswer = {
  decision: null,
  reason: null,
  stop: null,
  systemMessage: null,
  suppressOutput: false,
  toolInput: null,
  additionalContext: null,
  tailCall: null,
  other: {},
};

function readText(text: string): Reading {
  const value = parse(text);
  if (value === undefined) return notAnObject(text, `it is not JSON; it begins with ${excerpt(text)}`);
  if (!isObject(value)) return notAnObject(text, `it is JSON, but not an object: ${excerpt(text)}`);
  if (isDeeperThan(DEPTH_MAX, value)) {
    return { type: 'nonsense', problem: `it is nested more than ${DEPTH_MAX} deep` };
  }
  const common = CommonSchema.safeParse(value);
  if (!common.success) return nonsense(common.error);
  const specific = common.data.hookSpecificOutput ?? {};
  const read = SpecificSchema.safeParse(specific);
  return read.success
    ? { type: 'answer', answer: answerOf(common.data, read.data, specific) }
    : nonsense(read.error);
}

/**
 * An object that is broken, or that follows other words, was meant as a response: taking it for a message would lose
 * what the hook decided.
 */
function notAnObject(text: string, problem: string): Reading {
  const isMeantAsResponse = /^["'\s]*\{/.test(text) || RESPONSE_FIELD.test(text);
  return isMeantAsResponse ? { type: 'nonsense', problem } : { type: 'text', text, problem };
}

/** A text within JSON may be JSON once more: some languages make it easy to encode an answer twice. */
function parse(text: string): Json | undefined {
  try {
    const value = JSON.parse(text) as Json;
    return typeof value === 'string' ? (JSON.parse(value) as Json) : value;
  } catch {
    return undefined;
  }
}

const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const DEPTH_MAX = 100; // no arguments of a tool are; deep nesting exhausts the stack of a recursive walk

function isDeeperThan(depth: number, value: Json): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return depth === 0 || Object.values(value).some((member: Json) => isDeeperThan(depth - 1, member));
}

const object = z.custom<JsonObject>(isObject, 'it must be an object');

const CommonSchema = z.object({
  continue: z.boolean().nullish(),
  stopReason: z.string().nullish(),
  suppressOutput: z.boolean().nullish(),
  systemMessage: z.string().nullish(),
  decision: z.enum(['allow', 'approve', 'ask', 'deny', 'block']).nullish(),
  reason: z.string().nullish(),
  hookSpecificOutput: object.nullish(),
});

const SpecificSchema = z.object({
  tool_input: object.nullish(),
  additionalContext: z.string().nullish(),
  tailToolCallRequest: z.object({ name: z.string().min(1), args: object.nullish() }).nullish(),
});

/** The fields that decide something, also with the quotes of an object that was encoded twice. */
const RESPONSE_FIELD = /\\?["'](?:decision|continue|hookSpecificOutput)\\?["']\s*:/;

const OWN_NAMES = ['hookEventName', ...Object.keys(SpecificSchema.shape)];

function answerOf(
  common: z.infer<typeof CommonSchema>,
  { tool_input, additionalContext, tailToolCallRequest: tail }: z.infer<typeof SpecificSchema>,
  specific: JsonObject,
): HookAnswer {
  return {
    decision: DECISIONS[common.decision ?? 'none'],
    reason: textOf(common.reason),
    stop: common.continue === false ? { reason: textOf(common.stopReason) } : null,
    systemMessage: textOf(common.systemMessage),
    suppressOutput: common.suppressOutput ?? false,
    toolInput: tool_input ?? null,
    additionalContext: textOf(additionalContext),
    tailCall: tail ? { name: tail.name, args: tail.args ?? {} } : null,
    other: Object.fromEntries(Object.entries(specific).filter(([key]) => !OWN_NAMES.includes(key))),
  };
}

const DECISIONS = {
  allow: 'allow',
  approve: 'allow',
  ask: 'ask',
  deny: 'deny',
  block: 'deny',
  none: null,
} as const;

/** Blank is as good as nothing. */
const textOf = (text: string | null | undefined): string | null => (text?.trim() ? text : null);

function nonsense({ issues: [issue] }: z.ZodError): Reading {
  return { type: 'nonsense', problem: `${issue?.path.join('.')}: ${issue?.message}` };
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

function decode(bytes: Uint8Array): string | null {
  try {
    return utf8.decode(bytes).trim();
  } catch {
    return null;
  }
}

const EXCERPT_CHARS = 60;
const excerpt = (text: string) =>
  JSON.stringify(text.length > EXCERPT_CHARS ? `${text.slice(0, EXCERPT_CHARS)}…` : text);
