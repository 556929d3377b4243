import { stat } from 'node:fs/promises';
import { resolvePath } from '@countersign/host';
import type { DeclaredResource, Location } from '@countersign/protocol';
import type { Kind } from '../types/enums.js';
import type { PlainInvocation } from '../types/tool-types.js';

export type Touched = {
  readonly resources: readonly DeclaredResource[];
  readonly locations: readonly Location[];
  readonly repeat: 'safe' | 'unsafe';
};

/** What a call of a class-style or plain tool would touch, as far as the tool declares it. */
export async function touchedBy(
  invocation: PlainInvocation,
  { name, kind }: { readonly name: string; readonly kind: Kind },
  workspace: string,
): Promise<Touched> {
  const locations = await Promise.all(
    invocation
      .toolLocations()
      .map(async (location) => ({ ...location, path: await resolvePath(workspace, location.path) })),
  );
  const resources = invocation.resources?.() ?? (await resourcesAt(locations, kind, name));
  const changesSomething = resources.some(({ kind: touch }) => touch === 'fs.write' || touch === 'opaque');
  return { resources, locations, repeat: REPEATABLE.includes(kind) && !changesSomething ? 'safe' : 'unsafe' };
}

const READING: readonly Kind[] = ['read', 'search', 'think', 'fetch', 'communicate', 'plan'];
/** Kinds that can be repeated without a further effect; a message that is sent twice has one. */
const REPEATABLE: readonly Kind[] = ['read', 'search', 'think', 'fetch'];

async function resourcesAt(
  locations: readonly Location[],
  kind: Kind,
  name: string,
): Promise<DeclaredResource[]> {
  const reads = READING.includes(kind);
  if (locations.length === 0)
    return reads ? [] : [{ kind: 'opaque', why: `${name} does not declare what it touches` }];
  return Promise.all(
    locations.map(
      async ({ path }): Promise<DeclaredResource> => ({
        kind: reads ? 'fs.read' : 'fs.write',
        path,
        scope: (await isDirectory(path)) ? 'tree' : 'file',
      }),
    ),
  );
}

const isDirectory = (path: string): Promise<boolean> =>
  stat(path).then(
    (stats) => stats.isDirectory(),
    () => false,
  );
