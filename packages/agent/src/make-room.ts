import { mkdir, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { MASKED_CHARS_MIN, resultText } from '@countersign/kernel';
import { factsOf, ModelError, type Provider } from '@countersign/models';
import { explain, type Message, type MessagePart, type TokenUsage } from '@countersign/protocol';
import type { AgentEvent } from './events.js';
import type { AgentHooks } from './hooks/agent-hooks.js';
import { SAID_BY_HOOK } from './hooks/agent-hooks.js';
import type { LiveSession } from './live-session.js';
import { usageOfAnswer } from './spending.js';

/** Of the model's window: from here on, what calls gave long ago is shown as references. */
const MASK_AT = 0.5;
/** From here on, what was said long ago is summed up. */
const SUMMARISE_AT = 0.7;
/** What of the window the latest messages may take when the others are summed up. */
const KEPT_SHARE = 0.3;
/** The model works with what these gave. */
const TURNS_NEVER_MASKED = 2;
/** A rule of thumb for English and code. */
const CHARS_PER_TOKEN = 4;

type Options = {
  readonly provider: Provider;
  readonly model: string;
  readonly hooks: AgentHooks;
  readonly signal: AbortSignal;
  readonly emit: (event: AgentEvent) => void;
  /** Receives the tokens that a summary used, and the name that its model gave itself. */
  readonly spend: (usage: TokenUsage | null, model: string) => void;
};

/** Sees to it that the next request fits the model's window, with room for an answer. */
export async function makeRoom(live: LiveSession, options: Options): Promise<void> {
  const { contextTokens } = factsOf(options.model);
  const before = tokensOf(live);
  if (before < contextTokens * MASK_AT) return;
  if (await maskOutputs(live)) {
    const after = estimate(live);
    options.emit(compressed('outputs masked', before, after));
    if (after < contextTokens * SUMMARISE_AT) return;
  } else if (before < contextTokens * SUMMARISE_AT) return;
  await summarise(live, options, contextTokens * KEPT_SHARE);
}

/** Sums up all but the latest messages, which may take so many tokens. 'manual': at the user's request. */
export async function summarise(
  live: LiveSession,
  options: Options,
  keptTokens: number,
  trigger: 'auto' | 'manual' = 'auto',
): Promise<void> {
  const { session, conversation } = live;
  const keptFrom = boundary(conversation.shown, keptTokens);
  const { provider, model, hooks, signal, emit, spend } = options;
  if (keptFrom === null) {
    if (trigger === 'manual') emit({ type: 'notice', value: 'There is nothing to summarise yet.' });
    return;
  }
  const failed = (why: string) =>
    emit({ type: 'notice', value: `The conversation could not be summarised: ${why}` });
  if (hooks.listens('PreCompress')) await hooks.run('PreCompress', { trigger }, signal);
  const before = tokensOf(live);
  let summary = '';
  try {
    const contents = [
      ...conversation.contents(keptFrom),
      { role: 'user' as const, parts: [{ text: SUMMARY_WANTED }] },
    ];
    const request = { model, system: SUMMARY_SYSTEM, contents, declarations: [] };
    for await (const event of provider.stream(request, signal)) {
      if (event.type === 'text') summary += event.text;
      if (event.type !== 'finished') continue;
      const usage = usageOfAnswer(event.usage, event.said);
      spend(usage, event.model);
      // What a hook says to any request sums up nothing.
      const why = whyUnusable(event.said === SAID_BY_HOOK, event.reason === 'safety', summary);
      if (why !== null) {
        failed(why);
        continue;
      }
      await session.compress(summary, keptFrom, usage);
      emit(compressed('summarised', before, estimate(live)));
    }
  } catch (thrown) {
    // The request itself may still fit, and its own failure says more than that of the summary.
    if (!(thrown instanceof ModelError) && !signal.aborted) throw thrown;
    failed(thrown instanceof ModelError ? explain(thrown.failure).message : 'it was cancelled.');
  }
}

function whyUnusable(isByHook: boolean, isUnsafe: boolean, summary: string): string | null {
  if (isByHook) return 'a BeforeModel hook answered instead of the model.';
  if (isUnsafe) return 'the provider withheld the answer for its content.';
  return summary.trim() === '' ? 'the model returned no text.' : null;
}

const SUMMARY_SYSTEM =
  "You write summaries of conversations between a user and an agent that works on the user's files. The reader of the summary continues the work and has no other source.";
const SUMMARY_WANTED = `Summarise all of the above, so that the work can continue from your summary alone. Keep these exactly as stated: what the user wants, every decision and preference of the user, and names, numbers, paths, commands and keys that may be needed again. Then: what was done and changed, what was found, what failed and why, what remains to be done. Omit dead ends. Write plain text, no greeting.`;

/** Writes down what the model will only be shown a reference to, then says so. */
async function maskOutputs({ session, conversation }: LiveSession): Promise<boolean> {
  const turns = conversation.shown.flatMap((message) =>
    message.role === 'model' && message.turn !== null ? [message.turn] : [],
  );
  const through = turns.at(-1 - TURNS_NEVER_MASKED);
  if (through === undefined || through <= conversation.maskedThrough) return false;
  let isAnyLong = false;
  for (const turn of turns.filter((each) => each <= through && each > conversation.maskedThrough)) {
    for (const call of conversation.resultsOf(turn)) {
      const text = resultText(call);
      if (text.length < MASKED_CHARS_MIN) continue;
      isAnyLong = true;
      const path = session.whereKept(call.request);
      await mkdir(dirname(path), { recursive: true, mode: 0o700 });
      // What was too long for the model in the first place is there already, and whole.
      await writeFile(path, text, { mode: 0o600, flag: 'wx' }).catch((thrown: unknown) => {
        if (!(thrown instanceof Error && 'code' in thrown && thrown.code === 'EEXIST')) throw thrown;
      });
    }
  }
  await session.mask(through);
  return isAnyLong;
}

/** The first message to be kept as it was said; null if there is nothing to sum up before it. */
function boundary(shown: readonly Message[], keptTokens: number): number | null {
  let tokens = 0;
  for (let at = shown.length - 1; at > 0; at--) {
    const message = shown[at];
    if (!message) return null;
    tokens += charsOf(message.parts) / CHARS_PER_TOKEN;
    if (tokens > keptTokens) return shown[at + 1]?.id ?? message.id;
  }
  // Its words are few, so it is results that fill the window: only the latest are kept.
  return shown.length > KEPT_AT_LEAST ? (shown.at(-KEPT_AT_LEAST)?.id ?? null) : null;
}
const KEPT_AT_LEAST = 4;

/** As the provider counted it, with its answer; an estimate until it has. */
function tokensOf(live: LiveSession): number {
  const last = live.conversation.shown.findLast(
    (message) => message.role === 'model' && message.usage !== null && message.usage.inputTokens > 0,
  );
  const counted = last?.role === 'model' && last.usage ? last.usage.inputTokens + last.usage.outputTokens : 0;
  return Math.max(counted, estimate(live));
}

const estimate = ({ conversation }: LiveSession): number =>
  Math.round(conversation.contents().reduce((sum, { parts }) => sum + charsOf(parts), 0) / CHARS_PER_TOKEN);

const charsOf = (parts: readonly MessagePart[]): number =>
  parts.reduce((sum, part) => sum + charsIn(part), 0);

/** Counted once: a part is never changed, and all of them are asked about before every request. */
function charsIn(part: MessagePart): number {
  const known = charsCounted.get(part);
  if (known !== undefined) return known;
  const chars = JSON.stringify(part).length;
  charsCounted.set(part, chars);
  return chars;
}
const charsCounted = new WeakMap<MessagePart, number>();

const compressed = (
  how: 'outputs masked' | 'summarised',
  originalTokenCount: number,
  newTokenCount: number,
): AgentEvent => ({ type: 'chat_compressed', value: { how, originalTokenCount, newTokenCount } });
