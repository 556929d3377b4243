import type { NewCall } from '@countersign/kernel';
import {
  canonicalJson,
  type Failure,
  type Json,
  type JsonObject,
  oneLine,
  type WantedCall,
} from '@countersign/protocol';
import type { Resolved, Toolbox } from '../tool/toolbox.js';
import { sha256 } from '../values/hash.js';
import { plainObject, wordsOf } from '../values/plain.js';
import { randomHex } from '../values/random-hex.js';

const NO_NAME = 'undefined_tool_name';

/**
 * Turn what a model or a person wrote into calls with canonical names and
 * arguments, each with an id of its own. What is wrong with one of them becomes
 * that call's failure and harms no other.
 */
export function readBatch(
  wanted: readonly WantedCall[],
  tools: Toolbox,
  at: number,
  inBatch = new Set<string>(),
): NewCall[] {
  return wanted.map((call) => {
    const name = oneLine(call.name || NO_NAME);
    const wireId = call.callId || makeCallId(name, at);
    const repeats = inBatch.has(wireId);
    inBatch.add(wireId);
    const read = readCall(name, call.args ?? {}, tools);
    return {
      wireId,
      origin: call.origin ?? 'client',
      promptId: call.promptId ?? '',
      ...read,
      failure: repeats ? { code: 'duplicate_call_id', callId: wireId } : read.failure,
    };
  });
}

type ReadCall = Pick<NewCall, 'name' | 'args' | 'argsHash' | 'waitForPrevious' | 'calledAs' | 'failure'>;

function readCall(name: string, given: unknown, tools: Toolbox): ReadCall {
  const plain = plainObject(given);
  if (!plain.ok) return unusable(name, { code: 'invalid_tool_params', name, problems: [plain.problem] });
  const { wait_for_previous: wait = false, ...args } = plain.value;
  const resolved = resolve(name, args, tools);
  if (typeof resolved === 'string') {
    return unusable(name, { code: 'invalid_tool_params', name, problems: [resolved] });
  }
  if (!resolved) return unusable(name, tools.missing(name));
  const canonical = resolved.tool.name;
  return {
    name: canonical,
    args: resolved.args,
    argsHash: hashArgs(canonical, resolved.args),
    waitForPrevious: wait === true,
    calledAs: resolved.calledAs,
    failure:
      typeof wait === 'boolean'
        ? null
        : {
            code: 'invalid_tool_params',
            name: canonical,
            problems: ['"wait_for_previous" must be true or false'],
          },
  };
}

/** Tools rename arguments with code of their own, which may throw for arguments that are not checked yet. */
function resolve(name: string, args: JsonObject, tools: Toolbox): Resolved | string | undefined {
  try {
    return tools.resolve(name, args);
  } catch (thrown) {
    return `they cannot be read: ${wordsOf(thrown)}`;
  }
}

/**
 * The same for the same arguments of the same tool, and for no others. Long texts stand in it as hashes of their own:
 * spelling a file's content in JSON takes longer than writing it to disk. No JSON holds the NUL that parts the rest from them.
 */
export function hashArgs(name: string, args: JsonObject): string {
  const members = Object.entries(args);
  const long = members.filter((member): member is [string, string] => isLongText(member[1]));
  if (long.length === 0) return sha256(`${name}\0${canonicalJson(args)}`);
  const hashes = Object.fromEntries(long.map(([key, text]) => [key, sha256(text)]));
  const rest = Object.fromEntries(members.filter(([key]) => !Object.hasOwn(hashes, key)));
  return sha256(`${name}\0${canonicalJson(rest)}\0${canonicalJson(hashes)}`);
}

const SPELLED_CHARS_MAX = 4_096; // up to that, hashing twice gains nothing

/** Half a character has no bytes to hash but those of the sign for a bad one; JSON distinguishes the two. */
const isLongText = (value: Json): value is string =>
  typeof value === 'string' && value.length > SPELLED_CHARS_MAX && !/\p{Surrogate}/u.test(value);

function unusable(name: string, failure: Failure): ReadCall {
  return { name, args: {}, argsHash: hashArgs(name, {}), waitForPrevious: false, calledAs: null, failure };
}

function makeCallId(name: string, at: number): string {
  return `${name}-${at}-${randomHex()}`;
}
