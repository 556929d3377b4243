import { setTimeout as sleep } from 'node:timers/promises';
import { type Circumstances, judge } from '@countersign/kernel';
import type { Failure } from '@countersign/protocol';
import { JournalError, type Owned } from '../journal/index.js';
import { DEFAULT_LIMITS, type EngineLimits } from '../limits/limits.js';
import { type Delay, startTimer } from '../limits/time.js';
import { GrantBook } from '../notes/grant-book.js';
import { Notes } from '../notes/notes.js';
import { Previews } from '../notes/previews.js';
import { EarlierEdits } from '../planning/earlier-edits.js';
import { KnownCommands } from '../planning/known-commands.js';
import type { PlanningLimit } from '../planning/plan-in-time.js';
import type { HookingOptions } from '../planning/plan-with-hooks.js';
import { SessionDirectory } from '../planning/session-directory.js';
import { Workers } from '../work/workers.js';
import { Audience } from './audience.js';
import { Changes } from './changes.js';
import { leaveTools } from './leave-tools.js';
import { Lifetime } from './lifetime.js';
import { Mailbox } from './mailbox.js';
import type { OpenOptions } from './open-options.js';
import { OtherProcesses } from './other-processes.js';
import { Reception } from './reception.js';
import { SessionState } from './session-state.js';
import { workReports } from './work-reports.js';
import { Writer } from './writer.js';

export type SessionParts = ReturnType<typeof assemble>;

/**
 * The parts of a session, put together from the leaves up: each is given those it needs, which are there already. What is
 * said comes in at the reception or from other processes, everything goes through one mailbox to one writer, workers keep
 * what runs equal to what the written state wants, and then everybody is told.
 */
export function assemble(options: OpenOptions, { token, owner, lost }: Extract<Owned, { ok: true }>) {
  const { sessionId, workspace, journal, tools, policy, classify, outputs, hooks = null } = options;
  const limits: EngineLimits = { ...DEFAULT_LIMITS, ...options.limits };
  const now = options.now ?? Date.now;
  const delay: Delay = options.delay ?? ((ms, signal) => sleep(ms, undefined, { signal }));
  const timer = options.timer ?? startTimer;
  const planningLimit: PlanningLimit = { planTimeoutMs: limits.planTimeoutMs, timer };

  const state = new SessionState(sessionId);
  const changes = new Changes();
  const lifetime = new Lifetime(delay);
  const mailbox = new Mailbox(lifetime, now);
  const audience = new Audience(options);
  const previews = new Previews();
  const grants = new GrantBook();
  const commands = new KnownCommands();
  const kept = new SessionDirectory(outputs, sessionId);
  const edits = new EarlierEdits(tools);
  const notes = new Notes(edits);
  const { answerListeners, seen } = notes;

  const circumstances: Circumstances = {
    policy,
    grants: grants.all,
    commandsOf: commands.of,
    hooksListen: (request) => hooks?.listensAfter(request) ?? false,
    limits: kernelLimits(limits, lifetime),
  };
  const planning: HookingOptions = {
    ...{ sessionId, workspace, tools, classify, kept, seen, edits, commands, hooks },
    // Whether nothing but another rule could let it run: where only somebody to ask is missing, a hook may speak for them.
    isDenied: (request, plan) => {
      const judgement = judge(state.session, request, plan, now(), circumstances);
      return judgement.type === 'denied' && judgement.verdict.because !== 'unattended';
    },
  };
  const reception = new Reception({
    ...{ journal, sessionId, owner, lifetime, mailbox, circumstances, answerListeners, state },
    reading: { ...planning, now, limit: planningLimit, over: lifetime.over },
  });
  const others = new OtherProcesses({
    ...options,
    ...{ lifetime, grants, now },
    accept: (command, inboxId) => void reception.accept(command, inboxId),
    wake: () => mailbox.wake(),
  });
  const workers = new Workers({
    ...planning,
    ...workReports({ tools, mailbox, notes, previews, now, state }),
    ...{ limits, delay, timer, now },
    live: (live) => audience.show(live),
  });
  const writer = new Writer({
    ...options,
    ...{ state, token, lifetime, circumstances, grants, notes, others },
    act: (work) => {
      workers.reconcile(state.session);
      audience.tell(work);
      notes.release();
      changes.happened();
    },
    actAnew: () => workers.reconcileAll(state.session),
    putBack: (mail) => mailbox.putBack(mail),
  });

  mailbox.openTo({
    take: (batch) => writer.take(batch),
    isDue: () => others.grantsAreStale,
    emptied: () => changes.happened(),
  });
  lost.addEventListener('abort', () => void lifetime.end({ code: 'owner_lost', sessionId }));
  lifetime.onEnd(async (failure: Failure) => {
    others.unwatch();
    const isTaken = failure.code === 'owner_lost' || failure.code === 'another_writer';
    workers.stopAll(isTaken ? 'another process' : 'nobody');
    notes.giveUp(failure);
    mailbox.giveUp(failure);
    audience.close();
    changes.happened();
    if (!isTaken) await leaveTools(options, kept);
    await journal.release(sessionId, token).catch((thrown: unknown) => {
      if (!(thrown instanceof JournalError)) throw thrown;
    });
  });
  return {
    ...{ state, changes, lifetime, mailbox, audience, previews, kept, notes },
    ...{ planning, planningLimit, reception, others, workers, writer, now },
    noteModel: async (isAtWork: boolean) => journal.noteModel?.(sessionId, token, isAtWork),
  };
}

const kernelLimits = (
  { attemptsMax, backoffMs, runningMax }: EngineLimits,
  lifetime: Lifetime,
): Circumstances['limits'] => ({
  attemptsMax,
  backoffMs,
  runningMax,
  get starts() {
    return lifetime.closing ? 'stopped' : 'allowed';
  },
});
