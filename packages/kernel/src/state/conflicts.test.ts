import type { Kind, Plan, Resource } from '@countersign/protocol';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { enter, isFree, leave, noConflicts } from './conflicts.js';

const file = (kind: 'fs.read' | 'fs.write', path: string): Resource => ({
  kind,
  path,
  scope: 'file',
  place: 'workspace',
  guarded: null,
});
const reads = (path: string) => file('fs.read', path);
const writes = (path: string) => file('fs.write', path);
const opaque: Resource = { kind: 'opaque', why: 'make' };
const plan = (
  resources: readonly Resource[],
  after: Plan['after'] = 'conflicts',
  kind: Kind = 'other',
): Entering => ({ kind, resources, after });
/** A tool that looks at something, and does not say at what. */
const looks = (kind: Kind = 'read') => plan([], 'conflicts', kind);

function freeAfterEntering(...plans: readonly ReturnType<typeof plan>[]): boolean[] {
  const conflicts = noConflicts();
  plans.forEach((entering, index) => enter(conflicts, String(index), entering));
  return plans.map((_, index) => isFree(conflicts, String(index)));
}

test('reads never wait for each other [S2]', () => {
  expect(freeAfterEntering(plan([reads('/w/a')]), plan([reads('/w/a')]), plan([reads('/w')]))).toEqual([
    true,
    true,
    true,
  ]);
});

test('a write waits for earlier reads and writes of the same file, and later ones wait for it [S2]', () => {
  const free = freeAfterEntering(
    plan([reads('/w/a')]),
    plan([writes('/w/a')]),
    plan([reads('/w/a')]),
    plan([writes('/w/b')]),
  );
  expect(free).toEqual([true, false, false, true]);
});

test('reading a directory waits for writes beneath it, however deep, and not for those beside it [S2]', () => {
  expect(
    freeAfterEntering(plan([writes('/w/src/x/a')]), plan([reads('/w/src')]), plan([reads('/w/srcs')])),
  ).toEqual([true, false, true]);
});

test('writing a directory excludes everything beneath it [S2]', () => {
  expect(
    freeAfterEntering(plan([reads('/w/src/a')]), plan([writes('/w/src')]), plan([reads('/w/src/b')])),
  ).toEqual([true, false, false]);
});

test('unknown effects keep their place against writes and each other, not against reads [S2]', () => {
  const free = freeAfterEntering(
    plan([writes('/w/a')]),
    plan([opaque]),
    plan([reads('/w/b')]),
    plan([opaque]),
    plan([writes('/w/c')]),
  );
  expect(free).toEqual([true, false, true, false, false]);
});

test('a tool that reads and does not say what waits for earlier writes, and later writes wait for it [S2]', () => {
  for (const kind of ['read', 'search', 'fetch'] as const) {
    const free = freeAfterEntering(plan([writes('/w/a')]), looks(kind), looks(kind), plan([writes('/w/b')]));
    expect([kind, ...free]).toEqual([kind, true, false, false, false]);
  }
  expect(freeAfterEntering(looks(), looks('search'), plan([reads('/w/a')]))).toEqual([true, true, true]);
  expect(freeAfterEntering(plan([opaque]), looks(), plan([reads('/w/a')]))).toEqual([true, false, true]);
  expect(freeAfterEntering(plan([writes('/w/a')]), plan([], 'conflicts', 'think'))).toEqual([true, true]);
});

test('a tool that an MCP server calls read-only waits for earlier writes, also for those of other tools [S2]', () => {
  const mcp = (tool: string, access: 'read' | 'write') => plan([{ kind: 'mcp', server: 's', tool, access }]);
  expect(
    freeAfterEntering(mcp('look', 'read'), mcp('list', 'read'), plan([reads('/w/a')]), mcp('put', 'write')),
  ).toEqual([true, true, true, false]);
  expect(freeAfterEntering(mcp('put', 'write'), mcp('look', 'read'))).toEqual([true, false]);
  expect(freeAfterEntering(plan([writes('/w/a')]), mcp('look', 'read'))).toEqual([true, false]);
  expect(freeAfterEntering(mcp('put', 'write'), plan([writes('/w/a')]))).toEqual([true, true]);
});

test('wait_for_previous waits for all earlier calls, and later ones do not wait for it [S2]', () => {
  const free = freeAfterEntering(plan([]), plan([], 'everything'), plan([]), plan([], 'everything'));
  expect(free).toEqual([true, false, true, false]);
});

test('a call that reads and writes one file does not wait for itself [S2]', () => {
  expect(freeAfterEntering(plan([reads('/w/a'), writes('/w/a'), reads('/w')]))).toEqual([true]);
});

test('a call behind one that ends early still waits for what that call was waiting for [S2]', () => {
  const conflicts = noConflicts();
  enter(conflicts, 'reader', plan([reads('/w/a')]));
  enter(conflicts, 'writer', plan([writes('/w/a')]));
  enter(conflicts, 'later', plan([reads('/w/a')]));
  const freed: string[] = [];
  leave(conflicts, 'writer', (id) => freed.push(id));
  // The later one only reads, so it could run beside the reader; waiting is allowed, running beside a writer is not.
  enter(conflicts, 'last', plan([writes('/w/a')]));
  expect(isFree(conflicts, 'last')).toBe(false);
  leave(conflicts, 'reader', (id) => freed.push(id));
  expect(freed).toContain('later');
  expect(freed).not.toContain('last');
});

test('ten thousand writers and readers of one directory make links in proportion, not in pairs [S5]', () => {
  const conflicts = noConflicts();
  for (let i = 0; i < 5_000; i++) enter(conflicts, `w${i}`, plan([writes(`/w/${i}`)]));
  for (let i = 0; i < 5_000; i++) enter(conflicts, `r${i}`, plan([reads('/w')]));
  const links = conflicts.groups.reduce((sum, group) => sum + group.waiters.length, 0);
  expect(links).toBeLessThan(6 * 10_000);
});

const resource = fc.oneof(
  fc
    .tuple(
      fc.constantFrom('fs.read' as const, 'fs.write' as const),
      fc.constantFrom('/w', '/w/a', '/w/a/x', '/w/a/y', '/w/b'),
    )
    .map(([kind, path]) => file(kind, path)),
  fc.constant(opaque),
  fc
    .tuple(fc.constantFrom('read' as const, 'write' as const))
    .map(([access]): Resource => ({ kind: 'mcp', server: 's', tool: 't', access })),
);
const anyPlan = fc.record({
  kind: fc.constantFrom<Kind>('read', 'edit', 'think'),
  resources: fc.array(resource, { maxLength: 3 }),
  after: fc.constantFrom('conflicts' as const, 'conflicts' as const, 'everything' as const),
});

test('a call that enters again waits for what is ahead of its new place, not for what it left [S2]', () => {
  const conflicts = noConflicts();
  enter(conflicts, 'first', plan([writes('/w/f')]));
  enter(conflicts, 'moving', plan([writes('/w/f')]));
  enter(conflicts, 'other', plan([writes('/w/g')]));
  leave(conflicts, 'moving', () => {});
  enter(conflicts, 'moving', plan([writes('/w/f'), writes('/w/g')]));
  leave(conflicts, 'first', () => {});
  expect(isFree(conflicts, 'moving')).toBe(false);
  const freed: string[] = [];
  leave(conflicts, 'other', (id) => freed.push(id));
  expect(freed).toEqual(['moving']);
});

test('what a call waited for before it moved does not count any more [S2]', () => {
  const conflicts = noConflicts();
  enter(conflicts, 'writer', plan([writes('/w/f')]));
  enter(conflicts, 'moving', plan([reads('/w/f')]));
  leave(conflicts, 'moving', () => {});
  expect(enter(conflicts, 'moving', plan([reads('/w/g')]))).toBe(true);
  leave(conflicts, 'writer', () => {});
  expect(isFree(conflicts, 'moving')).toBe(true);
});

test('no two conflicting calls are ever free together, earlier ones go first, and no one waits forever [S2]', () => {
  fc.assert(
    fc.property(
      fc.array(anyPlan, { maxLength: 8 }),
      fc.array(fc.nat(), { minLength: 16, maxLength: 16 }),
      (plans, picks) => {
        const conflicts = noConflicts();
        plans.forEach((entering, index) => enter(conflicts, String(index), entering));
        const open = new Set(plans.keys());
        for (const pick of [...picks, ...picks]) {
          const free = [...open].filter((index) => isFree(conflicts, String(index)));
          for (const index of free) {
            for (const earlier of open) {
              if (earlier >= index) break;
              expect(clash(plans[earlier], plans[index]), `${earlier} before ${index}`).toBe(false);
            }
          }
          if (open.size === 0) return;
          expect(free.length).toBeGreaterThan(0);
          // Any open call may end at any time: it ran, or it was declined while it waited.
          const ending = pick % 3 === 0 ? [...open][pick % open.size] : free[pick % free.length];
          if (ending === undefined) return;
          open.delete(ending);
          leave(conflicts, String(ending), () => {});
        }
      },
    ),
    { numRuns: 2_000 },
  );
});

type Entering = Pick<Plan, 'kind' | 'resources' | 'after'>;

/** The plain meaning of SPEC S2, pair by pair. */
function clash(a: Entering | undefined, b: Entering | undefined): boolean {
  if (!a || !b) return false;
  if (b.after === 'everything' || a.resources.some((x) => b.resources.some((y) => touchesSame(x, y))))
    return true;
  return (readsUnnamed(a) && b.resources.some(hasEffect)) || (readsUnnamed(b) && a.resources.some(hasEffect));
}

const readsUnnamed = ({ kind, resources }: Entering): boolean =>
  resources.some((each) => each.kind === 'mcp' && each.access === 'read') ||
  (kind === 'read' && resources.length === 0);

function touchesSame(x: Resource, y: Resource): boolean {
  if (x.kind === 'opaque' || y.kind === 'opaque') return hasEffect(x) && hasEffect(y);
  if (x.kind === 'mcp' || y.kind === 'mcp') return x.kind === y.kind && (hasEffect(x) || hasEffect(y));
  if (x.kind === 'net' || y.kind === 'net') return false;
  const overlap = x.path === y.path || x.path.startsWith(`${y.path}/`) || y.path.startsWith(`${x.path}/`);
  return overlap && (hasEffect(x) || hasEffect(y));
}

function hasEffect(resource: Resource): boolean {
  switch (resource.kind) {
    case 'fs.read':
      return false;
    case 'fs.write':
    case 'opaque':
      return true;
    case 'net':
    case 'mcp':
      return resource.access === 'write';
  }
}
