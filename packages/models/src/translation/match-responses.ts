import type { CallPart, ReadPart, ResponsePart } from './read-part.js';

/**
 * Which response belongs to which call, over the runs of parts that one side spoke. By id; where one of the two has none
 * (not every provider gives them), in order among those of the same name. Newer calls come first: older ones without a
 * response were given up.
 */
export function matchResponses(runs: readonly (readonly ReadPart[])[]): ReadonlyMap<CallPart, ResponsePart> {
  const matched = new Map<CallPart, ResponsePart>();
  /** Calls without a response, newest run first. */
  const open: CallPart[][] = [];

  const take = (response: ResponsePart, fits: (call: CallPart) => boolean): boolean => {
    for (const calls of open) {
      const index = calls.findIndex(fits);
      const [call] = index < 0 ? [] : calls.splice(index, 1);
      if (!call) continue;
      matched.set(call, response);
      return true;
    }
    return false;
  };

  for (const parts of runs) {
    const calls = parts.filter((part) => part.kind === 'call');
    if (calls.length > 0) open.unshift(calls);
    const responses = parts.filter((part) => part.kind === 'response');
    const unmatched = responses.filter(({ id }) => id === null);
    for (const response of responses) {
      if (response.id !== null && !take(response, ({ id }) => id === response.id)) unmatched.push(response);
    }
    for (const response of responses.filter((one) => unmatched.includes(one))) {
      take(response, ({ id, name }) => name === response.name && (id === null || response.id === null));
    }
  }
  return matched;
}
