import type { Content } from '../provider.js';
import { CallIds } from './call-ids.js';
import { matchResponses } from './match-responses.js';
import {
  type CallPart,
  isPiece,
  type OwnPart,
  type Piece,
  type ReadPart,
  type ResponsePart,
  readPart,
  type Words,
} from './read-part.js';

/** A call under the id it has on the wire, with its result: neither can be sent without the other. */
export type Call = Omit<CallPart, 'id'> & { readonly id: string; readonly result: Result };
export type Result = Pick<ResponsePart, 'failed' | 'text' | 'media'>;
export type ModelTurn = { readonly role: 'model'; readonly parts: readonly (Words | OwnPart | Call)[] };
export type UserTurn = { readonly role: 'user'; readonly parts: readonly Piece[] };

/**
 * A conversation that any wire accepts: it begins with the user and ends with the user or with results; two turns of one
 * role follow each other only where results lie between them; none is empty.
 */
export type Turn = UserTurn | ModelTurn;

export type WireRules = {
  /** Whose thoughts and blocks may be handed back: they mean something only to the endpoint that made them. */
  readonly origin: string;
  /** Ids that the wire accepts; others are replaced by made ones. */
  readonly acceptedId: RegExp;
};

const NO_RESULT: Result = { failed: true, text: 'No result was recorded for this call.', media: [] };
/** Where a history begins with the model, or ends with it and another response is requested. */
const OMITTED: Words = { kind: 'words', text: '(The beginning of this conversation is omitted.)' };
const GO_ON: Words = { kind: 'words', text: 'Continue.' };

export function turnsOf(contents: readonly Content[], { origin, acceptedId }: WireRules): readonly Turn[] {
  const runs = runsOf(contents, origin);
  const responses = matchResponses(runs.map(({ parts }) => parts));
  const answered = new Set(responses.values());
  const ids = new CallIds(acceptedId);

  const turns: Turn[] = [];
  /** The model's own pictures: both wires take them from the user only. */
  let shown: readonly Piece[] = [];
  for (const { role, parts } of runs) {
    if (role === 'user') {
      addUserTurn(turns, [...shown, ...parts.flatMap((part) => userPieces(part, answered))]);
      shown = [];
      continue;
    }
    const settle = (part: CallPart): Call => ({
      ...part,
      id: ids.settle(part.id),
      result: responses.get(part) ?? NO_RESULT,
    });
    addModelTurn(
      turns,
      parts.flatMap((part) => (part.kind === 'call' ? settle(part) : isSpoken(part) ? part : [])),
    );
    shown = [...shown, ...parts.filter(isPiece).filter(({ kind }) => kind !== 'words')];
  }
  addUserTurn(turns, shown);
  if (turns[0]?.role === 'model') turns.unshift({ role: 'user', parts: [OMITTED] });
  const last = turns.at(-1);
  if (!last || (last.role === 'model' && !hasCalls(last))) addUserTurn(turns, [GO_ON]);
  return turns;
}

const hasCalls = ({ parts }: ModelTurn) => parts.some(({ kind }) => kind === 'call');

type Run = { readonly role: 'user' | 'model'; readonly parts: readonly ReadPart[] };

/** Calls are the model's and results are not, regardless of the recorded role. */
function runsOf(contents: readonly Content[], origin: string): readonly Run[] {
  const runs: { readonly role: 'user' | 'model'; readonly parts: ReadPart[] }[] = [];
  for (const content of contents) {
    const parts = content.parts.flatMap((part) => readPart(part, origin) ?? []);
    for (const part of withTheirMedia(parts)) {
      const role = part.kind === 'call' ? 'model' : part.kind === 'response' ? 'user' : content.role;
      const run = runs.at(-1);
      if (run?.role === role) run.parts.push(part);
      else runs.push({ role, parts: [part] });
    }
  }
  return runs;
}

/** Media that come right after a response are of its result. */
function withTheirMedia(parts: readonly ReadPart[]): readonly ReadPart[] {
  const joined: ReadPart[] = [];
  for (const part of parts) {
    const before = joined.at(-1);
    if (before?.kind === 'response' && (part.kind === 'media' || part.kind === 'link')) {
      joined[joined.length - 1] = { ...before, media: [...before.media, part] };
    } else joined.push(part);
  }
  return joined;
}

/** A result whose call is missing is still sent. */
function userPieces(part: ReadPart, answered: ReadonlySet<ResponsePart>): readonly Piece[] {
  if (isPiece(part)) return [part];
  if (part.kind !== 'response' || answered.has(part)) return [];
  const text = `The result of an earlier call of ${part.name || 'a function'}: ${part.text}`;
  return [{ kind: 'words', text }, ...part.media];
}

const isSpoken = (part: ReadPart): part is Words | OwnPart => part.kind === 'words' || part.kind === 'own';

/** Both wires have servers that refuse text of nothing but blanks. */
const saysSomething = (part: Turn['parts'][number]) => part.kind !== 'words' || part.text.trim() !== '';

function addUserTurn(turns: Turn[], pieces: readonly Piece[]): void {
  const parts = pieces.filter(saysSomething);
  if (parts.length === 0) return;
  const before = turns.at(-1);
  if (before?.role === 'user') turns[turns.length - 1] = { role: 'user', parts: [...before.parts, ...parts] };
  else turns.push({ role: 'user', parts });
}

function addModelTurn(turns: Turn[], spoken: ModelTurn['parts']): void {
  const parts = joinWords(spoken).filter(saysSomething);
  // Thoughts alone are no turn: what they led to is missing.
  if (parts.every(({ kind }) => kind === 'own')) return;
  const before = turns.at(-1);
  const joins = before?.role === 'model' && !hasCalls(before);
  if (joins) turns[turns.length - 1] = { role: 'model', parts: joinWords([...before.parts, ...parts]) };
  else turns.push({ role: 'model', parts });
}

/** The model's text may be kept in the pieces it came in. */
function joinWords(parts: ModelTurn['parts']): ModelTurn['parts'] {
  const joined: ModelTurn['parts'][number][] = [];
  for (const part of parts) {
    const before = joined.at(-1);
    if (part.kind === 'words' && before?.kind === 'words') {
      joined[joined.length - 1] = { kind: 'words', text: before.text + part.text };
    } else joined.push(part);
  }
  return joined;
}
