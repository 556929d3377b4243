import { z } from 'zod';
import type { Ack, CallIdentity, CommandIdentity } from '../index.js';
import { failure } from './failure.js';
import { type Fields, number, text, textOrNull, texts } from './parts.js';

export const ack: z.ZodType<Ack> = z.discriminatedUnion('ok', [
  z.looseObject({
    ok: z.literal(true),
    seq: number,
    turn: number.exactOptional(),
    callIds: texts.exactOptional(),
    repeated: z.literal(true).exactOptional(),
  }),
  z.looseObject({ ok: z.literal(false), failure }),
]);

const callIdentity: z.ZodType<CallIdentity> = z.looseObject({
  callId: textOrNull,
  digest: text,
} satisfies Fields<CallIdentity>);

export const commandIdentityFields = {
  by: text,
  key: textOrNull,
  digest: text,
  calls: z.array(callIdentity).exactOptional(),
} satisfies Fields<CommandIdentity>;

const commandIdentity: z.ZodType<CommandIdentity> = z.looseObject(commandIdentityFields);
export const identity = commandIdentity.exactOptional();
