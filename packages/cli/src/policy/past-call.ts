import { factText, momentOf } from '@countersign/client';
import { visibleLine } from '@countersign/display';
import type { Recorded } from '@countersign/engine';
import type { ApprovalMode, Event } from '@countersign/protocol';
import { withStore } from '../compose/known-store.js';
import { EXIT, type ExitCode } from '../io/exit-codes.js';
import { CommandFailure, usage } from '../io/failure-text.js';
import { type Io, printJson } from '../io/io.js';
import type { JudgingOptions } from './judge-each.js';
import { HASH_CHARS_SHOWN } from './verdict-text.js';

type PastOptions = JudgingOptions & { readonly call: string };

const SUPPOSING = [
  ...(['policy', 'no-defaults', 'mode', 'yolo', 'workspace', 'tools', 'sandbox'] as const),
  ...(['session', 'approvals', 'connect'] as const),
];

/** `countersign policy explain --call SESSION/CALL`: how a call was decided, as the journal has it. */
export async function explainPast(options: PastOptions, words: readonly string[], io: Io): Promise<ExitCode> {
  const supposing = SUPPOSING.find((name) => options[name] !== undefined);
  if (words.length > 0 || supposing !== undefined)
    throw usage(
      `--call shows a past call, and cannot be combined with ${supposing ? `--${supposing}` : 'another call'}`,
      'countersign policy replay, to re-evaluate past calls with other rules',
    );
  const slash = options.call.indexOf('/');
  if (slash <= 0 || slash === options.call.length - 1)
    throw usage(`"${options.call}" does not name a call`, '--call SESSION/CALL, as approvals list shows it');
  const [sessionId, callId] = [options.call.slice(0, slash), options.call.slice(slash + 1)];
  return withStore(options.store, io, 'read', async (journal) => {
    if (!journal) throw new CommandFailure({ code: 'unknown_session', sessionId });
    const past = pastOf(await journal.read(sessionId, 0), callId);
    if (past === null) throw new CommandFailure({ code: 'unknown_call', callId });
    if (options.json) printJson(io, { call: options.call, ...past });
    else io.stdout.write(`${pastText(options.call, past)}\n`);
    return EXIT.ok;
  });
}

type PastCall = {
  /** The policy and mode of its last evaluation; null if it was never evaluated. */
  readonly policy: string | null;
  readonly mode: ApprovalMode | null;
  readonly events: readonly Recorded[];
};

/** Ids may repeat in later turns; this uses the latest call with the id. */
function pastOf(recorded: readonly Recorded[], callId: string): PastCall | null {
  let policy: string | null = null;
  let mode: ApprovalMode | null = null;
  let judged: Pick<PastCall, 'policy' | 'mode'> = { policy, mode };
  let events: Recorded[] = [];
  for (const record of recorded) {
    const { event } = record;
    if (event.type === 'policy.loaded') policy = event.hash;
    if (event.type === 'session.opened' || event.type === 'mode.changed') mode = event.mode;
    if (event.type === 'call.requested' && event.request.callId === callId) {
      events = [record];
      judged = { policy: null, mode: null };
    }
    if (!('callId' in event) || event.callId !== callId) continue;
    events.push(record);
    if (event.type === 'call.planned') judged = { policy, mode };
  }
  return events.length === 0 ? null : { ...judged, events };
}

function pastText(call: string, { policy, mode, events }: PastCall): string {
  const steps = events.map(({ event }) => stepText(event));
  const rules =
    policy === null
      ? 'It was never evaluated.'
      : `Evaluated in mode ${String(mode)} with the policy ${policy.slice(0, HASH_CHARS_SHOWN)}.`;
  return [visibleLine(call), ...steps, rules].join('\n');
}

const stepText = (event: Event): string => {
  const at = momentOf(event);
  return `  ${at === null ? '' : `${new Date(at).toISOString()} `}${factText(event)}`;
};
