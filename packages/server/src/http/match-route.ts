import { decoded } from '../contract/decoded.js';
import { OPERATION_NAMES, type OperationName, ROUTES } from '../contract/routes.js';

export type Matched = {
  readonly name: OperationName;
  readonly parameters: { readonly [name: string]: string };
};
export type RouteFound = Matched | { readonly allowed: readonly string[] };

type Entry = { readonly name: OperationName; readonly method: string; readonly segments: readonly string[] };

const ENTRIES: readonly Entry[] = OPERATION_NAMES.map((name) => {
  const [method = '', path = ''] = ROUTES[name].address.split(' ');
  return { name, method, segments: path.split('/') };
});

/** The operation at a path, or the methods that the path takes instead; null if there is nothing at the path. */
export function matchRoute(method: string, path: string): RouteFound | null {
  const segments = path.split('/');
  const atPath = ENTRIES.filter((entry) => fits(entry.segments, segments));
  if (atPath.length === 0) return null;
  const entry = atPath.find((each) => each.method === method);
  return entry
    ? { name: entry.name, parameters: parametersIn(entry.segments, segments) }
    : { allowed: atPath.map((each) => each.method) };
}

const fits = (wanted: readonly string[], given: readonly string[]): boolean =>
  wanted.length === given.length &&
  wanted.every((segment, index) =>
    isParameter(segment) ? decoded(given[index] ?? '') !== '' : segment === given[index],
  );

const isParameter = (segment: string): boolean => segment.startsWith('{');

function parametersIn(wanted: readonly string[], given: readonly string[]): Matched['parameters'] {
  const entries = wanted.flatMap((segment, index) =>
    isParameter(segment) ? [[segment.slice(1, -1), decoded(given[index] ?? '')] as const] : [],
  );
  return Object.fromEntries(entries);
}
