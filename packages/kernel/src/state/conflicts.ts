import type { Kind, Plan } from '@countersign/protocol';

/**
 * Which calls wait for which, as counters.
 *
 * Calls enter in request order. Each thing that can be touched has a lane; a
 * lane is a row of groups, and the calls of one group may run side by side. A
 * call waits for the groups before its own, never for single calls, so the
 * number of links grows with the calls and not with their pairs: a thousand
 * readers after a thousand writers are one link each.
 *
 * A group is over when it takes no more members, its members have settled *and*
 * the groups before it are over. The last part matters: a member may settle
 * early (declined, failed), and a call behind it must still wait for
 * what that member was waiting for.
 */
export type Conflicts = {
  readonly groups: Group[];
  readonly lanes: Map<string, Lane>;
  readonly entries: Map<string, Entry>;
  /** Every call so far: what `wait_for_previous` waits for. */
  everything: number;
  /** How many places were taken so far; a call that enters again takes another. */
  places: number;
};

type Group = { pending: number; takesMore: boolean; readonly waiters: Waiter[] };
/** A call waits in the place it took: what it waited for in an earlier one no longer concerns it. */
type Waiter = { readonly call: string; readonly place: number } | { readonly group: number };
type Entry = { readonly place: number; waits: number; readonly memberOf: number[] };

/**
 * How a call touches the thing of a lane. A directory's lane also sees what
 * happens beneath it: readers of the whole tree exclude writers beneath, and
 * writers of the whole tree exclude everything, while the calls beneath settle
 * their differences in their own lanes.
 */
const READS_BENEATH = 1;
const WRITES_BENEATH = 2;
const READS = 4;
const WRITES = 8;

type Lane = {
  /** The last call that wrote the thing itself. */
  writer: number;
  /** Readers beneath since then; only a writer of the whole waits for them. */
  readersBeneath: number;
  /** The open group: either readers of the thing or writers beneath it, which exclude each other. */
  open: number;
  openHolds: typeof READS | typeof WRITES_BENEATH;
  /** The group before the open one. */
  before: number;
};

const NONE = -1;
/**
 * The lane of effects and reads whose resource is not known. Unnamed effects exclude each other, all writes and unnamed reads,
 * but not reads of a named thing. Unnamed reads might be of what a write changes, so the two exclude each other; among
 * themselves, writes and unnamed reads settle their differences in the lanes of what they name, if anywhere.
 */
const UNNAMED_LANE = '!unnamed';
/** Kinds of tools that read: one that names no resource might read anything. */
const LOOKING: readonly Kind[] = ['read', 'search', 'fetch'];

export const noConflicts = (): Conflicts => ({
  groups: [],
  lanes: new Map(),
  entries: new Map(),
  everything: NONE,
  places: 0,
});

/** Let a call take its place behind those already there. True if it need wait for none of them. */
export function enter(
  conflicts: Conflicts,
  callId: string,
  plan: Pick<Plan, 'kind' | 'resources' | 'after'>,
): boolean {
  const entry: Entry = { place: conflicts.places++, waits: 0, memberOf: [] };
  conflicts.entries.set(callId, entry);

  if (plan.after === 'everything') {
    waitFor(conflicts, callId, entry, close(conflicts, conflicts.everything));
    conflicts.everything = newGroup(conflicts, [conflicts.everything]);
  } else if (conflicts.everything === NONE) {
    conflicts.everything = newGroup(conflicts, []);
  }
  join(conflicts, entry, conflicts.everything);

  for (const [key, touch] of touches(plan)) {
    const lane = laneOf(conflicts, key);
    if (touch & WRITES || (touch & READS && touch & WRITES_BENEATH))
      enterAsWriter(conflicts, lane, callId, entry);
    else if (touch & READS) enterOpenGroup(conflicts, lane, READS, callId, entry);
    else if (touch & WRITES_BENEATH) enterOpenGroup(conflicts, lane, WRITES_BENEATH, callId, entry);
    else enterAsReaderBeneath(conflicts, lane, callId, entry);
  }
  return entry.waits === 0;
}

/** Take a call out, settled or to enter again. `freed` is called with every call that waits for nothing any more. */
export function leave(conflicts: Conflicts, callId: string, freed: (callId: string) => void): void {
  const entry = conflicts.entries.get(callId);
  if (!entry) return;
  conflicts.entries.delete(callId);
  for (const group of entry.memberOf) countDown(conflicts, group, freed);
}

export const isFree = (conflicts: Conflicts, callId: string): boolean =>
  conflicts.entries.get(callId)?.waits === 0;

function enterAsWriter(conflicts: Conflicts, lane: Lane, callId: string, entry: Entry): void {
  const before = [lane.writer, close(conflicts, lane.open), close(conflicts, lane.readersBeneath)];
  for (const group of before) waitFor(conflicts, callId, entry, group);
  lane.writer = newGroup(conflicts, before);
  join(conflicts, entry, lane.writer);
  close(conflicts, lane.writer);
  lane.open = lane.before = lane.readersBeneath = NONE;
}

function enterOpenGroup(
  conflicts: Conflicts,
  lane: Lane,
  holds: Lane['openHolds'],
  callId: string,
  entry: Entry,
): void {
  if (lane.open === NONE || lane.openHolds !== holds) {
    lane.before = close(conflicts, lane.open);
    lane.open = newGroup(conflicts, [lane.writer, lane.before]);
    lane.openHolds = holds;
  }
  waitFor(conflicts, callId, entry, lane.writer);
  waitFor(conflicts, callId, entry, lane.before);
  join(conflicts, entry, lane.open);
}

function enterAsReaderBeneath(conflicts: Conflicts, lane: Lane, callId: string, entry: Entry): void {
  if (lane.readersBeneath === NONE) lane.readersBeneath = newGroup(conflicts, [lane.writer]);
  waitFor(conflicts, callId, entry, lane.writer);
  join(conflicts, entry, lane.readersBeneath);
}

/** Each lane a call uses, once, with everything it does there: a call must never wait for itself. */
function touches({ kind, resources }: Pick<Plan, 'kind' | 'resources'>): Iterable<readonly [string, number]> {
  if (resources.length === 0) return LOOKING.includes(kind) ? LOOKS_ANYWHERE : NOTHING;
  const lanes = new Map<string, number>();
  const touch = (key: string, how: number) => lanes.set(key, (lanes.get(key) ?? 0) | how);
  for (const resource of resources) {
    switch (resource.kind) {
      case 'fs.read':
        touch(resource.path, READS);
        touchAncestors(resource.path, READS_BENEATH, touch);
        break;
      case 'fs.write':
        touch(resource.path, WRITES);
        touchAncestors(resource.path, WRITES_BENEATH, touch);
        touch(UNNAMED_LANE, WRITES_BENEATH);
        break;
      case 'net':
        touch(`net:${resource.host}`, resource.access === 'write' ? WRITES : READS);
        if (resource.access === 'write') touch(UNNAMED_LANE, WRITES_BENEATH);
        break;
      case 'mcp':
        touch(`mcp:${resource.server}\0${resource.tool}`, resource.access === 'write' ? WRITES : READS);
        // A server says which of its tools only read, and not what they read.
        touch(UNNAMED_LANE, resource.access === 'write' ? WRITES_BENEATH : READS);
        break;
      case 'opaque':
        touch(UNNAMED_LANE, WRITES);
        break;
    }
  }
  return lanes;
}
const NOTHING: readonly (readonly [string, number])[] = [];
const LOOKS_ANYWHERE: readonly (readonly [string, number])[] = [[UNNAMED_LANE, READS]];

function touchAncestors(path: string, how: number, touch: (key: string, how: number) => void): void {
  for (let end = path.lastIndexOf('/'); end > 0; end = path.lastIndexOf('/', end - 1))
    touch(path.slice(0, end), how);
  if (path !== '/') touch('/', how);
}

function laneOf(conflicts: Conflicts, key: string): Lane {
  let lane = conflicts.lanes.get(key);
  if (!lane) {
    lane = { writer: NONE, readersBeneath: NONE, open: NONE, openHolds: READS, before: NONE };
    conflicts.lanes.set(key, lane);
  }
  return lane;
}

function newGroup(conflicts: Conflicts, behind: readonly number[]): number {
  const index = conflicts.groups.length;
  const group: Group = { pending: 0, takesMore: true, waiters: [] };
  conflicts.groups.push(group);
  for (const before of behind) {
    if (isOver(conflicts, before)) continue;
    conflicts.groups[before]?.waiters.push({ group: index });
    group.pending++;
  }
  return index;
}

function join(conflicts: Conflicts, entry: Entry, group: number): void {
  const joined = conflicts.groups[group];
  if (!joined) return;
  joined.pending++;
  entry.memberOf.push(group);
}

function waitFor(conflicts: Conflicts, callId: string, entry: Entry, group: number): void {
  if (isOver(conflicts, group)) return;
  conflicts.groups[group]?.waiters.push({ call: callId, place: entry.place });
  entry.waits++;
}

/** A closed group can end; an open one cannot, since another call may still join it. */
function close(conflicts: Conflicts, group: number): number {
  const closed = conflicts.groups[group];
  if (closed) closed.takesMore = false;
  return group;
}

function isOver(conflicts: Conflicts, group: number): boolean {
  const asked = conflicts.groups[group];
  return !asked || (!asked.takesMore && asked.pending === 0);
}

function countDown(conflicts: Conflicts, start: number, freed: (callId: string) => void): void {
  // A long chain of groups may end at once: a list of work, not the call stack.
  const work = [start];
  for (let index = work.pop(); index !== undefined; index = work.pop()) {
    const group = conflicts.groups[index];
    if (!group) continue;
    group.pending--;
    if (group.takesMore || group.pending > 0) continue;
    for (const waiter of group.waiters) {
      if ('group' in waiter) work.push(waiter.group);
      else {
        const entry = conflicts.entries.get(waiter.call);
        if (entry?.place === waiter.place && --entry.waits === 0) freed(waiter.call);
      }
    }
    group.waiters.length = 0;
  }
}
