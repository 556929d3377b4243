import { z } from 'zod';
import {
  type Answer,
  APPROVAL_MODES,
  type Basis,
  type CallRequest,
  type CancelReason,
  type Confirmation,
  type DiffStat,
  type FollowUp,
  type Grant,
  type GrantPattern,
  type HookAdvice,
  type HookNote,
  type Json,
  type JsonObject,
  KINDS,
  type Location,
  type Message,
  type ModelContent,
  type Need,
  type Offer,
  OUTCOMES,
  type Partial,
  type Permit,
  type Plan,
  type Question,
  type Reach,
  type Resource,
  type RuleRef,
  SANDBOX_SETTINGS,
  type SessionSetup,
  type SetupFile,
  type SetupGap,
  STATUSES,
  TIERS,
  type TokenUsage,
  type ToolResult,
  type Verdict,
} from '../index.js';

/**
 * The shapes of what events are made of. Each is typed as the protocol's own
 * type, so a field that is added there does not compile until it is added here.
 * Fields that are not known stay: a newer program may have added them.
 */
export type Fields<T> = { readonly [K in keyof T]-?: z.ZodType };

export const text = z.string();
export const textOrNull = z.string().nullable();
export const number = z.number();
export const when = z.number().meta({ description: 'Milliseconds since 1970' });
export const texts = z.array(z.string());
export const mode = z.enum(APPROVAL_MODES);
export const outcome = z.enum(OUTCOMES);
export const startRule = z.enum(['as_granted', 'together']);
export const attended = z.enum(['somebody', 'nobody']);
export const origin = z.enum(['model', 'person', 'client']);
export const decision = z.enum(['allow', 'ask_user', 'deny']);
export const status = z.enum(STATUSES);
export const confirmationType = z.enum(['edit', 'exec', 'mcp', 'info', 'ask_user', 'exit_plan_mode']);
export const riskLevel = z.enum(['low', 'medium', 'high']);
export const grantScope = z.enum(['session', 'project', 'user']);

// All of this comes out of JSON.parse, so whatever is there is JSON; only its outermost shape is in question.
const isObject = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
export const json = z.custom<Json>((value) => value !== undefined).meta({ description: 'Any JSON' });
export const jsonObject = z.custom<JsonObject>(isObject).meta({ type: 'object' });
const modelContent = z.custom<ModelContent>((value) => {
  const isPart = (part: unknown) => typeof part === 'string' || isObject(part);
  return isPart(value) || (Array.isArray(value) && value.every(isPart));
});

const pattern: z.ZodType<GrantPattern> = z.discriminatedUnion('kind', [
  z.looseObject({ kind: z.literal('edits') }),
  z.looseObject({ kind: z.literal('tool'), tool: text }),
  z.looseObject({
    kind: z.literal('command'),
    match: z.enum(['exact', 'prefix']),
    commands: z.array(texts),
    directory: text.exactOptional(),
  }),
  z.looseObject({
    kind: z.literal('mcp-tool'),
    server: text,
    tool: text,
    definition: text.exactOptional(),
  }),
  z.looseObject({ kind: z.literal('mcp-server'), server: text }),
  z.looseObject({ kind: z.literal('host'), tool: text, host: text }),
]);

export const grant: z.ZodType<Grant> = z.looseObject({
  id: text,
  pattern,
  scope: grantScope,
  scopeKey: text,
  uses: number.nullable(),
  expiresAt: when.nullable(),
  by: text,
  at: when,
} satisfies Fields<Grant>);

export const rule: z.ZodType<RuleRef> = z.looseObject({
  name: textOrNull,
  tier: z.enum(TIERS),
  priority: number,
  file: text,
  line: number,
} satisfies Fields<RuleRef>);

export const verdict: z.ZodType<Verdict> = z.looseObject({
  decision,
  rule: rule.nullable(),
  reason: text,
  matched: textOrNull,
  because: z
    .enum(['rule', 'guard', 'mode', 'default', 'unattended', 'person', 'hook', 'sandbox'])
    .exactOptional(),
  span: z.looseObject({ start: number, end: number }).exactOptional(),
} satisfies Fields<Verdict>);

const access = z.enum(['read', 'write']);
const ours = z.literal(true).exactOptional();
const fileResource = z.looseObject({
  kind: z.enum(['fs.read', 'fs.write']),
  path: text,
  scope: z.enum(['file', 'tree']),
  searched: ours,
  place: z.enum(['workspace', 'outside']),
  guarded: textOrNull,
  ours,
});
const resource: z.ZodType<Resource> = z.discriminatedUnion('kind', [
  fileResource,
  z.looseObject({ kind: z.literal('net'), host: text, access, ours }),
  z.looseObject({
    kind: z.literal('mcp'),
    server: text,
    tool: text,
    access,
    definition: text.exactOptional(),
    redefined: z.literal(true).exactOptional(),
  }),
  z.looseObject({ kind: z.literal('opaque'), why: text, ours }),
]);

const basis: z.ZodType<Basis> = z.looseObject({
  path: text,
  before: textOrNull,
  after: textOrNull,
} satisfies Fields<Basis>);
const location: z.ZodType<Location> = z.looseObject({
  path: text,
  line: number.exactOptional(),
} satisfies Fields<Location>);

const scope = z.enum(['file', 'tree']);
export const need: z.ZodType<Need> = z.discriminatedUnion('needs', [
  z.looseObject({ needs: z.literal('read'), path: text, scope }),
  z.looseObject({ needs: z.literal('write'), path: text, scope }),
  z.looseObject({ needs: z.literal('network'), host: textOrNull }),
]);

export const plan: z.ZodType<Plan> = z.looseObject({
  title: text,
  kind: z.enum(KINDS),
  resources: z.array(resource),
  named: z.array(fileResource).exactOptional(),
  locations: z.array(location),
  basis: z.array(basis),
  needs: z.array(need).exactOptional(),
  repeat: z.enum(['safe', 'unsafe', 'resumable']),
  after: z.enum(['conflicts', 'everything']),
  annotations: jsonObject.exactOptional(),
  byDefault: z.enum(['allow', 'ask_user']).nullable(),
  digest: text,
} satisfies Fields<Plan>);

const diffStat: z.ZodType<DiffStat> = z.looseObject({
  added: number,
  removed: number,
} satisfies Fields<DiffStat>);
const reach: z.ZodType<Reach> = z.discriminatedUnion('type', [
  z.looseObject({ type: z.literal('everything'), why: text }),
  z.looseObject({ type: z.literal('confined'), needs: z.array(need) }),
]);
const confirmation: z.ZodType<Confirmation> = z.discriminatedUnion('type', [
  z.looseObject({
    type: z.literal('edit'),
    title: text,
    fileName: text,
    filePath: text,
    fileDiff: text,
    originalContent: textOrNull,
    newContent: text,
    diffStat,
    notes: texts.exactOptional(),
  }),
  z.looseObject({
    type: z.literal('exec'),
    title: text,
    command: text,
    rootCommand: text,
    rootCommands: texts,
    directory: text,
    riskLevel,
    riskReasons: texts,
    reach: reach.exactOptional(),
  }),
  z.looseObject({
    type: z.literal('mcp'),
    title: text,
    serverName: text,
    toolName: text,
    toolDisplayName: text,
    toolArgs: jsonObject,
    toolDescription: text,
  }),
  z.looseObject({ type: z.literal('info'), title: text, prompt: text, urls: texts }),
  z.looseObject({
    type: z.literal('ask_user'),
    title: text,
    questions: z.array(
      z.looseObject({
        question: text,
        header: text,
        type: z.enum(['choice', 'text', 'yesno']),
        options: z.array(z.looseObject({ label: text, description: text })).exactOptional(),
        multiSelect: z.boolean().exactOptional(),
        placeholder: text.exactOptional(),
      }),
    ),
  }),
  z.looseObject({ type: z.literal('exit_plan_mode'), title: text, planPath: text, plan: text }),
]);

const offer: z.ZodType<Offer> = z.looseObject({
  outcome,
  grant: z
    .looseObject({
      pattern,
      scope: z.enum(['session', 'project']),
      scopes: z.array(grantScope).exactOptional(),
      text,
    })
    .nullable(),
} satisfies Fields<Offer>);

export const question: z.ZodType<Question> = z.looseObject({
  digest: text,
  confirmation,
  offers: z.array(offer),
  askedAt: when,
} satisfies Fields<Question>);

export const answer: z.ZodType<Answer> = z.looseObject({
  outcome,
  by: text,
  at: number,
  digest: text,
  key: textOrNull,
  feedback: textOrNull,
  answers: json.exactOptional(),
  payloadDigest: text.exactOptional(),
} satisfies Fields<Answer>);

export const request: z.ZodType<CallRequest> = z.looseObject({
  callId: text,
  wireId: text,
  name: text,
  args: jsonObject,
  argsHash: text,
  origin,
  promptId: text,
  turn: number,
  index: number,
  revision: number,
  at: number,
  waitForPrevious: z.boolean(),
  calledAs: textOrNull,
  changedBy: text.exactOptional(),
  within: text.exactOptional(),
  asker: text.exactOptional(),
  followUp: z
    .looseObject({ callId: text, name: text, depth: number } satisfies Fields<FollowUp>)
    .exactOptional(),
} satisfies Fields<CallRequest>);

export const permit: z.ZodType<Permit> = z.looseObject({
  digest: text,
  by: z.discriminatedUnion('type', [
    z.looseObject({ type: z.literal('policy'), rule: rule.nullable() }),
    z.looseObject({ type: z.literal('grant'), grantId: text }),
    z.looseObject({ type: z.literal('hook'), hook: text }),
    z.looseObject({ type: z.literal('person'), who: text }),
  ]),
} satisfies Fields<Permit>);

export const result: z.ZodType<ToolResult> = z.looseObject({
  llmContent: modelContent,
  returnDisplay: json,
  exitCode: number.exactOptional(),
  complete: z.boolean().exactOptional(),
} satisfies Fields<ToolResult>);

export const cancelReason: z.ZodType<CancelReason> = z.discriminatedUnion('type', [
  z.looseObject({
    type: z.literal('declined'),
    by: text,
    feedback: textOrNull,
    stop: z.literal(true).exactOptional(),
  }),
  z.looseObject({ type: z.literal('aborted'), by: text }),
  z.looseObject({ type: z.literal('grant_revoked'), grantId: text }),
  z.looseObject({ type: z.literal('withdrawn') }),
  z.looseObject({ type: z.literal('rules_changed'), reason: text, rule: textOrNull }),
]);

export const partial: z.ZodType<Partial> = z.looseObject({
  output: text,
  mayHaveHappened: z.boolean(),
  complete: z.literal(true).exactOptional(),
} satisfies Fields<Partial>);

export const advice: z.ZodType<HookAdvice> = z.looseObject({
  decision: z.enum(['deny', 'ask', 'allow']),
  by: text,
  reason: text,
} satisfies Fields<HookAdvice>);

export const notes: z.ZodType<readonly HookNote[]> = z.array(
  z.looseObject({
    hook: text,
    source: text,
    said: z.enum(['nothing', 'deny', 'ask', 'allow', 'stop', 'failed']),
    reason: textOrNull,
    durationMs: number,
  } satisfies Fields<HookNote>),
);

export const usage: z.ZodType<TokenUsage> = z.looseObject({
  inputTokens: number,
  outputTokens: number,
  cachedTokens: number,
  thoughtTokens: number,
} satisfies Fields<TokenUsage>);

const said = { id: number, at: number, parts: z.array(jsonObject), promptId: text };
export const message: z.ZodType<Message> = z.discriminatedUnion('role', [
  z.looseObject({ role: z.literal('user'), ...said, by: text }),
  z.looseObject({
    role: z.literal('model'),
    ...said,
    model: text,
    usage: usage.nullable(),
    finish: text,
    turn: number.nullable(),
  }),
]);

const sandboxSetting = z.enum(SANDBOX_SETTINGS);
const setupFile: z.ZodType<SetupFile> = z.looseObject({ path: text, hash: text } satisfies Fields<SetupFile>);
export const setup: z.ZodType<SessionSetup> = z.looseObject({
  policies: z.array(setupFile),
  tools: z.array(setupFile),
  sandbox: sandboxSetting.exactOptional(),
} satisfies Fields<SessionSetup>);
export const setupGap: z.ZodType<SetupGap> = z.union([
  z.looseObject({ kind: z.enum(['policy', 'tools']), path: text }),
  z.looseObject({ kind: z.literal('sandbox'), was: sandboxSetting, is: sandboxSetting }),
]);
