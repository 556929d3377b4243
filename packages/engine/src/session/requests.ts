import type { NewCall } from '@countersign/kernel';
import { canonicalJson, type Failure, type JsonObject, type WantedCall } from '@countersign/protocol';
import { sha256 } from '../hash.js';
import type { Resolved, Toolbox } from '../toolbox.js';
import { plainObject, wordsOf } from './plain.js';
import { randomHex } from './random-hex.js';

const NO_NAME = 'undefined_tool_name';

/**
 * Turn what a model or a person wrote into calls with canonical names and
 * arguments, each with an id of its own. What is wrong with one of them becomes
 * that call's failure and harms no other.
 */
export function readBatch(wanted: readonly WantedCall[], tools: Toolbox, at: number): NewCall[] {
  const inBatch = new Set<string>();
  return wanted.map((call) => {
    const name = call.name || NO_NAME;
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
  if (!resolved) return unusable(name, { code: 'tool_not_registered', name, nearest: tools.nearest(name) });
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

/** Tools rename arguments with code of their own, which may stumble over arguments that nobody has checked yet. */
function resolve(name: string, args: JsonObject, tools: Toolbox): Resolved | string | undefined {
  try {
    return tools.resolve(name, args);
  } catch (thrown) {
    return `they can not be read: ${wordsOf(thrown)}`;
  }
}

export const hashArgs = (name: string, args: JsonObject): string => sha256(`${name}\0${canonicalJson(args)}`);

function unusable(name: string, failure: Failure): ReadCall {
  return { name, args: {}, argsHash: hashArgs(name, {}), waitForPrevious: false, calledAs: null, failure };
}

function makeCallId(name: string, at: number): string {
  return `${name}-${at}-${randomHex()}`;
}
