import { type SetupGap, setupOptions } from '../reach/setup.js';
import type { Entries } from './entry.js';

/** What can go wrong with the journal and the ownership of a session. */
export type JournalFailure =
  | { readonly code: 'journal_full'; readonly path: string }
  | { readonly code: 'journal_read_only'; readonly path: string }
  | { readonly code: 'journal_locked'; readonly path: string; readonly waitedMs: number }
  | {
      readonly code: 'journal_corrupt';
      readonly path: string;
      readonly detail: string;
      /** The only session whose records are damaged, as far as was read; omitted where the damage belongs to none. */
      readonly sessionId?: string;
    }
  | { readonly code: 'journal_newer'; readonly path: string; readonly found: number; readonly known: number }
  | { readonly code: 'journal_foreign'; readonly path: string }
  | { readonly code: 'journal_unavailable'; readonly path: string; readonly detail: string }
  | {
      readonly code: 'another_writer';
      readonly sessionId: string;
      readonly expected: number;
      readonly found: number;
    }
  | { readonly code: 'owner_lost'; readonly sessionId: string }
  | { readonly code: 'claim_lost'; readonly grantIds: readonly string[] }
  | { readonly code: 'command_withdrawn'; readonly inboxIds: readonly number[] }
  | { readonly code: 'session_owned'; readonly sessionId: string; readonly pid: number }
  /** `command`: resumes it with everything that it was opened with; omitted where that is not known. */
  | { readonly code: 'session_idle'; readonly sessionId: string; readonly command?: string }
  | { readonly code: 'given_up'; readonly sessionId: string; readonly pid: number }
  | { readonly code: 'session_setup'; readonly sessionId: string; readonly missing: readonly SetupGap[] }
  | { readonly code: 'unknown_session'; readonly sessionId: string };

export const JOURNAL_FAILURES: Entries<JournalFailure> = {
  journal_full: {
    audience: 'operator',
    when: 'The journal could not be written because the disk is full.',
    message: ({ path }) => `The journal ${path} cannot grow: the disk is full.`,
    hint: () => 'Free some space; until then, nothing new starts. Everything acknowledged is safe.',
  },
  journal_read_only: {
    audience: 'operator',
    when: 'The journal file or its directory cannot be written.',
    message: ({ path }) => `The journal ${path} is read-only.`,
    hint: () => 'Make the file and its directory writable, or choose another with --store.',
  },
  journal_locked: {
    audience: 'operator',
    transient: true,
    when: 'Another process locked the database for too long.',
    message: ({ path, waitedMs }) => `Another process kept the journal ${path} locked for ${waitedMs} ms.`,
    hint: () => 'Find and end the process that holds it, then try again.',
  },
  journal_corrupt: {
    audience: 'operator',
    when: 'The journal was truncated, altered or damaged.',
    message: ({ path, detail }) => `The journal ${path} is damaged: ${detail}.`,
    hint: ({ path, sessionId }) =>
      sessionId === undefined
        ? `Nothing was changed. Restore ${path} from a copy, or move it away to start with an empty one.`
        : `Nothing was changed, and other sessions can be used. Restore ${path} from a copy, or remove this session: countersign sessions delete ${sessionId}`,
  },
  journal_newer: {
    audience: 'operator',
    when: 'The journal was written by a newer version of the program.',
    message: ({ path, found, known }) =>
      `The journal ${path} has format ${found}; this program supports up to ${known}.`,
    hint: () => 'Update Countersign, or choose another journal with --store. Nothing was changed.',
  },
  journal_foreign: {
    audience: 'operator',
    when: 'The file at the path of the journal is not a journal.',
    message: ({ path }) => `${path} is not a Countersign journal.`,
    hint: () => 'Choose another path with --store. The file was not changed.',
  },
  journal_unavailable: {
    audience: 'operator',
    when: 'The journal failed for another reason.',
    message: ({ path, detail }) => `The journal ${path} cannot be used: ${detail}.`,
    hint: () => 'Nothing new starts until it works again. Check the disk and the path.',
  },
  another_writer: {
    audience: 'operator',
    when: 'A process tried to write to a session that another process has continued.',
    message: ({ sessionId, expected, found }) =>
      `Session ${sessionId} is at ${found}, not at ${expected}: another process is writing to it now.`,
    hint: () => 'Attach to the session as a client instead.',
  },
  owner_lost: {
    audience: 'operator',
    when: 'Another process took the session over.',
    message: ({ sessionId }) => `Session ${sessionId} now belongs to another process.`,
    hint: () => 'Attach to the session as a client instead.',
  },
  claim_lost: {
    audience: 'operator',
    when: 'Another call took the last uses of a limited grant at the same moment.',
    message: ({ grantIds }) => `No uses remain of: ${grantIds.join(', ')}.`,
    hint: () => 'The calls are evaluated again without it; no action is needed.',
  },
  command_withdrawn: {
    audience: 'operator',
    when: 'A command from another process was withdrawn before its result was written.',
    message: ({ inboxIds }) => `No longer waiting in the inbox: ${inboxIds.join(', ')}.`,
    hint: () => 'The remaining commands are evaluated again without it; no action is needed.',
  },
  session_owned: {
    audience: 'operator',
    when: 'Another live process has the session open.',
    message: ({ sessionId, pid }) => `Session ${sessionId} is in use by process ${pid}.`,
    hint: () => 'Attach to it as a client, or end that process first.',
  },
  session_idle: {
    audience: 'person',
    when: 'A command was sent to a session that no process has open.',
    message: ({ sessionId }) => `No process has session ${sessionId} open.`,
    hint: ({ sessionId, command }) =>
      command === undefined
        ? `Resume it with the --policy, --tools and --sandbox that it was opened with: countersign exec --resume ${sessionId}`
        : `Resume it with: ${command}`,
  },
  given_up: {
    audience: 'person',
    when: 'The sender of a command stopped waiting before the owner of the session accepted it.',
    message: ({ sessionId, pid }) =>
      `Process ${pid}, which has session ${sessionId} open, did not confirm the command in time. The command was withdrawn and has no effect.`,
    hint: ({ pid }) =>
      `Send it again once process ${pid} responds, or end that process and resume the session.`,
  },
  session_setup: {
    audience: 'person',
    when: 'A session was opened with rules, tools or a sandbox setting that the resuming process lacks.',
    message: ({ sessionId, missing }) =>
      `Session ${sessionId} was opened with ${missing.map(gapText).join(', and with ')}. It cannot continue without them.`,
    hint: ({ missing }) =>
      `Add to the command line: ${setupOptions(missing)}.${missing.some(({ kind }) => kind !== 'sandbox') ? GONE : ''}`,
  },
  unknown_session: {
    audience: 'person',
    when: 'A session id is not in the store.',
    message: ({ sessionId }) => `No session has the id "${sessionId}".`,
    hint: () => 'Check the id and --store.',
  },
};

/** A copy of the session would be bound in the same way. What a file holds now is what counts. */
const GONE =
  ' If a file no longer exists, create one with the content that should apply now (a rules file may be empty), or start a new session.';

function gapText(gap: SetupGap): string {
  switch (gap.kind) {
    case 'policy':
      return `the rules of ${gap.path}, which are not loaded here`;
    case 'tools':
      return `the tools of ${gap.path}, which are not loaded here`;
    case 'sandbox':
      return `the sandbox set to "${gap.was}", which is "${gap.is}" here`;
  }
}
