import type { Event } from '@countersign/protocol';
import { rule } from '@countersign/protocol/schemas';
import { z } from 'zod';

/** Shapes of answers that are only of this interface; all others are the protocol's own. */
const event = z
  .custom<Event>((value) => typeof value === 'object' && value !== null && !Array.isArray(value))
  .meta({ type: 'object', required: ['type'], description: 'An event, by its type' });
export const fact = z.object({ seq: z.number(), event });
export const ruleOrNull = rule.nullable();
