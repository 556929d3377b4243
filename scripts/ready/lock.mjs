import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { READY_DIR } from './stamp.mjs';

const LOCK = join(READY_DIR, 'lock');
const BEAT_MS = 1_000;
const SILENT_MS_MAX = 30_000; // a holder that missed this many beats is gone, or its pid belongs to somebody else
const LOOK_MS = 100;
const WAIT_MS_MAX = 15 * 60_000; // longer than the slowest install over a bad line

/**
 * Lets one process at a time install and build in this checkout.
 * @param {() => Promise<number>} work
 * @returns {Promise<number>}
 */
export async function withLock(work) {
  if (!(await take())) {
    console.error(
      `Another process has held ${LOCK} for too long. If none is running, delete it and try again.`,
    );
    return 1;
  }
  const beat = setInterval(showLife, BEAT_MS);
  try {
    return await work();
  } finally {
    clearInterval(beat);
    discard();
  }
}

function showLife() {
  try {
    utimesSync(LOCK, new Date(), new Date());
  } catch {
    // Somebody deleted the lock by hand. Finishing is still the best we can do.
  }
}

async function take() {
  mkdirSync(READY_DIR, { recursive: true });
  const givingUpAt = Date.now() + WAIT_MS_MAX;
  let told = false;
  while (!tryTake()) {
    if (Date.now() > givingUpAt) return false;
    const holder = readHolder();
    if (isGone(holder)) {
      // Somebody else may have cleared it and taken the lock since we looked.
      if (readHolder()?.pid === holder?.pid) discard();
      continue;
    }
    if (!told && holder)
      console.error(`Process ${holder.pid} is making this checkout ready; waiting for it.`);
    told ||= holder !== null;
    await sleep(LOOK_MS);
  }
  return true;
}

/** The directory comes into being with its content: nobody ever sees a lock without a holder. */
function tryTake() {
  const mine = mkdtempSync(join(READY_DIR, 'lock-'));
  writeFileSync(join(mine, 'pid'), String(process.pid));
  try {
    renameSync(mine, LOCK);
    return true;
  } catch {
    rmSync(mine, { recursive: true, force: true });
    return false;
  }
}

/** Moved away before it is deleted: a half-deleted directory would look free. */
function discard() {
  const trash = mkdtempSync(join(READY_DIR, 'lock-'));
  try {
    renameSync(LOCK, join(trash, 'lock'));
  } catch {
    // It is gone already.
  }
  rmSync(trash, { recursive: true, force: true });
}

/** @returns {{ pid: number, silentMs: number } | null} null when nobody holds the lock */
function readHolder() {
  try {
    const pid = Number(readFileSync(join(LOCK, 'pid'), 'utf8'));
    return { pid, silentMs: Date.now() - statSync(LOCK).mtimeMs };
  } catch {
    return null;
  }
}

function isGone(/** @type {{ pid: number, silentMs: number } | null} */ holder) {
  if (holder === null) return false;
  if (holder.silentMs > SILENT_MS_MAX) return true;
  try {
    process.kill(holder.pid, 0);
    return false;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'ESRCH';
  }
}
