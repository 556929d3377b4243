import { type Need, type OperationName, ROUTES, type Routes } from '../contract/routes.js';
import type { ServedSessions, ServedWorkspaces } from './served-workspaces.js';

/** What an operation may touch, as found out from what it needs: a handler has nothing else to go by. */
type Scopes = {
  readonly nothing: null;
  readonly 'served workspace': { readonly workspace: string };
  readonly 'served session': null;
  readonly 'served sessions': ServedSessions;
  readonly 'any session': null;
  /** The folder that its session works in, if that is not served; null if it is. */
  readonly 'any question': { readonly outside: string | null };
};
export type ScopeOf<N extends OperationName> = Scopes[Routes[N]['needs']];

/** The fields of a request, wherever they stand. */
export type Fields = {
  readonly parameters: object;
  readonly query: object;
  readonly body: unknown;
};

/** Checks every request before its handler runs. Throws a `Refusal` if it may not touch what it names. */
export const scopeOf = <N extends OperationName>(
  name: N,
  fields: Fields,
  served: ServedWorkspaces,
): Promise<ScopeOf<N>> => scopeFor<Routes[N]['needs']>(ROUTES[name]['needs'], fields, served);

const scopeFor = <K extends Need>(need: K, fields: Fields, served: ServedWorkspaces): Promise<Scopes[K]> =>
  FINDERS[need](fields, served);

const FINDERS: { readonly [K in Need]: (fields: Fields, served: ServedWorkspaces) => Promise<Scopes[K]> } = {
  nothing: async () => null,
  'any session': async () => null,
  'served workspace': async (fields, served) => ({
    workspace: await served.require(named(fields, 'workspace')),
  }),
  'served session': async (fields, served) => {
    await served.requireSession(sessionIn(fields));
    return null;
  },
  'served sessions': async (fields, served) => {
    const sessionId = named(fields, 'sessionId');
    if (sessionId !== undefined) await served.requireSession(sessionId);
    return served.sessions();
  },
  'any question': async (fields, served) => {
    const workspace = await served.workspaceOf(sessionIn(fields));
    return { outside: (await served.has(workspace)) ? null : workspace };
  },
};

function sessionIn(fields: Fields): string {
  const sessionId = named(fields, 'sessionId');
  if (sessionId === undefined) throw new Error('an operation that needs a session names none');
  return sessionId;
}

function named({ parameters, query, body }: Fields, field: string): string | undefined {
  for (const part of [parameters, query, body]) {
    const entries: readonly (readonly [string, unknown])[] =
      typeof part === 'object' && part !== null ? Object.entries(part) : [];
    const found = entries.find(([name]) => name === field)?.[1];
    if (typeof found === 'string') return found;
  }
  return undefined;
}
