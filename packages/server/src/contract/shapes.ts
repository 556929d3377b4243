import {
  APPROVAL_MODES,
  type Confirmation,
  type Event,
  type Grant,
  type GrantPattern,
  type Json,
  type JsonObject,
  type Need,
  type Offer,
  OUTCOMES,
  type Question,
  type Reach,
  type RuleRef,
  STATUSES,
  TIERS,
  type Verdict,
} from '@countersign/protocol';
import { z } from 'zod';

/**
 * The shapes of what is shown. Each is typed as the protocol's own type, so a
 * change there that these do not follow does not compile. Fields may be added
 * later: who reads an answer passes over what it does not know.
 */
export const text = z.string();
export const when = z.number().meta({ description: 'Milliseconds since 1970' });
export const mode = z.enum(APPROVAL_MODES);
export const outcome = z.enum(OUTCOMES);
export const status = z.enum(STATUSES);
export const decision = z.enum(['allow', 'ask_user', 'deny']);
const texts = z.array(text);

const isObject = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
export const json = z.custom<Json>((value) => value !== undefined).meta({ description: 'Any JSON' });
export const jsonObject = z.custom<JsonObject>(isObject).meta({ type: 'object' });
export const event = z
  .custom<Event>(isObject)
  .meta({ type: 'object', required: ['type'], description: 'An event, by its type' });
export const fact = z.object({ seq: z.number(), event });

const span = z.object({ start: z.number(), end: z.number() });
const rule: z.ZodType<RuleRef> = z.object({
  name: text.nullable(),
  tier: z.enum(TIERS),
  priority: z.number(),
  file: text,
  line: z.number(),
});
export const ruleOrNull = rule.nullable();

export const verdict: z.ZodType<Verdict> = z.object({
  decision,
  rule: ruleOrNull,
  reason: text,
  matched: text.nullable(),
  because: z
    .enum(['rule', 'guard', 'mode', 'default', 'unattended', 'person', 'hook', 'sandbox'])
    .exactOptional(),
  span: span.exactOptional(),
});

const need: z.ZodType<Need> = z.discriminatedUnion('needs', [
  z.object({ needs: z.literal('read'), path: text, scope: z.enum(['file', 'tree']) }),
  z.object({ needs: z.literal('write'), path: text, scope: z.enum(['file', 'tree']) }),
  z.object({ needs: z.literal('network'), host: text.nullable() }),
]);
const reach: z.ZodType<Reach> = z.discriminatedUnion('type', [
  z.object({ type: z.literal('everything'), why: text }),
  z.object({ type: z.literal('confined'), needs: z.array(need) }),
]);
const askedQuestion = z.object({
  question: text,
  header: text,
  type: z.enum(['choice', 'text', 'yesno']),
  options: z.array(z.object({ label: text, description: text })).exactOptional(),
  multiSelect: z.boolean().exactOptional(),
  placeholder: text.exactOptional(),
});

export const CONFIRMATION_TYPES = ['edit', 'exec', 'mcp', 'info', 'ask_user', 'exit_plan_mode'] as const;
const confirmation: z.ZodType<Confirmation> = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('edit'),
    title: text,
    fileName: text,
    filePath: text,
    fileDiff: text,
    originalContent: text.nullable(),
    newContent: text,
    diffStat: z.object({ added: z.number(), removed: z.number() }),
    notes: texts.exactOptional(),
  }),
  z.object({
    type: z.literal('exec'),
    title: text,
    command: text,
    rootCommand: text,
    rootCommands: texts,
    directory: text,
    riskLevel: z.enum(['low', 'medium', 'high']),
    riskReasons: texts,
    reach: reach.exactOptional(),
  }),
  z.object({
    type: z.literal('mcp'),
    title: text,
    serverName: text,
    toolName: text,
    toolDisplayName: text,
    toolArgs: jsonObject,
    toolDescription: text,
  }),
  z.object({ type: z.literal('info'), title: text, prompt: text, urls: texts }),
  z.object({ type: z.literal('ask_user'), title: text, questions: z.array(askedQuestion) }),
  z.object({ type: z.literal('exit_plan_mode'), title: text, planPath: text, plan: text }),
]);

const pattern: z.ZodType<GrantPattern> = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('edits') }),
  z.object({ kind: z.literal('tool'), tool: text }),
  z.object({
    kind: z.literal('command'),
    match: z.enum(['exact', 'prefix']),
    commands: z.array(texts),
    directory: text.exactOptional(),
  }),
  z.object({ kind: z.literal('mcp-tool'), server: text, tool: text }),
  z.object({ kind: z.literal('mcp-server'), server: text }),
  z.object({ kind: z.literal('host'), tool: text, host: text }),
]);
const offer: z.ZodType<Offer> = z.object({
  outcome,
  grant: z.object({ pattern, scope: z.enum(['session', 'project']), text }).nullable(),
});
export const question: z.ZodType<Question> = z.object({
  digest: text,
  confirmation,
  offers: z.array(offer),
  askedAt: when,
});

export const grant: z.ZodType<Grant> = z.object({
  id: text,
  pattern,
  scope: z.enum(['session', 'project', 'user']),
  scopeKey: text,
  uses: z.number().nullable(),
  expiresAt: when.nullable(),
  by: text,
  at: when,
});
