import { setTimeout as sleep } from 'node:timers/promises';
import { type Circumstances, judge } from '@countersign/kernel';
import type { Failure } from '@countersign/protocol';
import { JournalError, type Owned } from '../journal/index.js';
import { DEFAULT_LIMITS, type EngineLimits } from '../limits/limits.js';
import { type Delay, startTimer } from '../limits/time.js';
import { GrantBook } from '../notes/grant-book.js';
import { JournalTroubles } from '../notes/journal-troubles.js';
import { Notes } from '../notes/notes.js';
import { Previews } from '../notes/previews.js';
import { EarlierEdits } from '../planning/earlier-edits.js';
import { KnownCommands } from '../planning/known-commands.js';
import type { PlanningLimit } from '../planning/plan-in-time.js';
import type { HookingOptions } from '../planning/plan-with-hooks.js';
import { SessionDirectory } from '../planning/session-directory.js';
import { Workers } from '../work/workers.js';
import { Changes } from './changes.js';
import { CommandReceiver } from './command-receiver.js';
import { leaveTools } from './leave-tools.js';
import { Lifetime } from './lifetime.js';
import { Mailbox } from './mailbox.js';
import type { OpenOptions } from './open-options.js';
import { OtherProcesses } from './other-processes.js';
import { SessionState } from './session-state.js';
import { Subscribers } from './subscribers.js';
import { workReports } from './work-reports.js';
import { Writer } from './writer.js';

export type SessionParts = ReturnType<typeof assemble>;

/**
 * The parts of a session, put together from the leaves up: each is given those it needs, which are there already. Commands
 * arrive at the receiver or from other processes, everything passes one mailbox to one writer, workers keep running work
 * equal to what the written state wants, and then subscribers are notified.
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
  const subscribers = new Subscribers(options);
  const previews = new Previews();
  const grants = new GrantBook();
  const commands = new KnownCommands();
  const kept = new SessionDirectory(outputs, sessionId);
  const edits = new EarlierEdits(tools);
  const notes = new Notes(edits);
  const { answerListeners, seen } = notes;
  // A journal that cannot be written can often be read: what was read does not end the other trouble.
  const writing = new JournalTroubles({ ...options, now });
  const reading = new JournalTroubles({ ...options, now });

  const circumstances: Circumstances = {
    policy,
    grants: grants.all,
    commandsOf: commands.of,
    hooksListen: (request) => hooks?.listensAfter(request) ?? false,
    limits: kernelLimits(limits, lifetime),
  };
  const planning: HookingOptions = {
    ...{ sessionId, workspace, tools, classify, kept, seen, edits, commands, hooks },
    // Whether only another rule could allow it: where only a user to ask is missing, a hook may answer instead.
    isDenied: (request, plan) => {
      const judgement = judge(state.session, request, plan, now(), circumstances);
      return judgement.type === 'denied' && judgement.verdict.because !== 'unattended';
    },
  };
  const receiver = new CommandReceiver({
    ...{ journal, sessionId, owner, lifetime, mailbox, circumstances, answerListeners, state },
    reading: { ...planning, now, limit: planningLimit, over: lifetime.over },
  });
  const others = new OtherProcesses({
    ...options,
    ...{ lifetime, grants, now, troubles: reading },
    accept: (command, inboxId) => void receiver.accept(command, inboxId),
    wake: () => mailbox.wake(),
  });
  const workers = new Workers({
    ...planning,
    ...workReports({ tools, mailbox, notes, previews, now, state }),
    ...{ limits, delay, timer, now },
    live: (live) => subscribers.show(live),
  });
  const writer = new Writer({
    ...options,
    ...{ state, token, lifetime, circumstances, grants, notes, others, troubles: writing },
    act: (work) => {
      workers.reconcile(state.session);
      subscribers.publish(work);
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
    subscribers.close();
    changes.happened();
    if (!isTaken) await leaveTools(options, kept);
    await journal.release(sessionId, token).catch((thrown: unknown) => {
      if (!(thrown instanceof JournalError)) throw thrown;
    });
  });
  return {
    ...{ state, changes, lifetime, mailbox, subscribers, previews, kept, notes },
    ...{ planning, planningLimit, receiver, others, workers, writer, now },
    noteModel: async (isAtWork: boolean) => {
      try {
        await journal.noteModel?.(sessionId, token, isAtWork);
      } catch (thrown) {
        if (!(thrown instanceof JournalError)) throw thrown;
        writing.failed(thrown.failure);
      }
    },
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
