import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { errnoOf, once } from '@countersign/host';
import type { Need } from '@countersign/protocol';
import type { Profile } from '@countersign/sandbox';
import * as z from 'zod';

/** How a command was confined: beside its output, since it may be another process that sees its end. */
export type KeptConfinement = {
  readonly profile: Profile;
  /** Where it works. */
  readonly directory: string;
  /** 'reads': it is known to do nothing else, so that it needs neither the network nor a place to write. */
  readonly effects: 'reads' | 'unknown';
  /** The paths that it is known to read. */
  readonly names: readonly string[];
  /** What runs first in each part of it. */
  readonly programs: readonly string[];
  /** What was opened up for it. */
  readonly needs: readonly Need[];
};

export function keepConfinement(keptIn: string, kept: KeptConfinement): void {
  writeFileSync(pathOf(keptIn), JSON.stringify(kept), { mode: 0o600 });
}

/** Before a start that is not confined: an earlier try may have been. */
export function forgetConfinement(keptIn: string): void {
  rmSync(pathOf(keptIn), { force: true });
}

/** null for a command that was not confined, or if a crash of the machine kept this from being written whole. */
export function keptConfinement(keptIn: string): KeptConfinement | null {
  try {
    const kept: unknown = JSON.parse(readFileSync(pathOf(keptIn), 'utf8'));
    // It is read once for each command: to compile the schema would take longer than to read it.
    return schema().safeParse(kept, { jitless: true }).data ?? null;
  } catch (error) {
    if (errnoOf(error) === 'ENOENT' || error instanceof SyntaxError) return null;
    throw error;
  }
}

const pathOf = (keptIn: string) => join(keptIn, 'confinement.json');

const schema = once((): z.ZodType<KeptConfinement> => {
  const path = z.string();
  const scope = z.enum(['file', 'tree']);
  return z.object({
    profile: z.object({
      workspace: path,
      network: z.enum(['blocked', 'open']),
      mounts: z.array(
        z.discriminatedUnion('access', [
          z.object({ access: z.enum(['writable', 'read-only']), path }),
          z.object({ access: z.literal('hidden'), path, kind: z.enum(['directory', 'file']) }),
          z.object({ access: z.literal('private'), path, keptIn: path.nullable() }),
        ]),
      ),
      guards: z.array(
        z.object({ path, link: z.string().nullable(), hold: z.enum(['fixed', 'open', 'made']) }),
      ),
      granted: z.array(z.object({ path, scope })),
    }),
    directory: path,
    effects: z.enum(['reads', 'unknown']),
    names: z.array(path),
    programs: z.array(z.string()),
    needs: z.array(
      z.discriminatedUnion('needs', [
        z.object({ needs: z.enum(['read', 'write']), path, scope }),
        z.object({ needs: z.literal('network'), host: z.string().nullable() }),
      ]),
    ),
  });
});
