import type { Policy, Rule } from '@countersign/kernel';
import type {
  ApprovalMode,
  Confirmation,
  GrantPattern,
  HookAdvice,
  JsonObject,
  Kind,
  Need,
  Plan,
  PolicyDecision,
  Preview,
  Resource,
} from '@countersign/protocol';
import type { Kernel } from './kernel.js';

/**
 * What is true in the small worlds: what each tool touches, what policy says of
 * it, what excludes what. Written from SPEC and without the kernel's help, since
 * a kernel measured by its own functions would always be right.
 */

/** A call by what matters to policy: the tool, and the one argument that all tools here have. */
export type Deed = { readonly tool: string; readonly target: string };

type ToolTruth = {
  readonly kind: Kind;
  readonly repeat: Plan['repeat'];
  readonly says: 'allow' | 'ask' | 'deny';
  readonly changesThings: boolean;
  readonly touches: (target: string) => readonly Resource[];
};

const TOOLS: { readonly [name: string]: ToolTruth } = {
  read: { kind: 'read', repeat: 'safe', says: 'allow', changesThings: false, touches: files('fs.read') },
  list: {
    kind: 'search',
    repeat: 'safe',
    says: 'allow',
    changesThings: false,
    touches: () => [folder('fs.read')],
  },
  /** Looks at something, and does not say at what. */
  peek: { kind: 'read', repeat: 'safe', says: 'allow', changesThings: false, touches: () => [] },
  think: { kind: 'think', repeat: 'safe', says: 'allow', changesThings: false, touches: () => [] },
  /** Writes the same whenever it is repeated. */
  put: { kind: 'edit', repeat: 'safe', says: 'allow', changesThings: true, touches: files('fs.write') },
  write: { kind: 'edit', repeat: 'unsafe', says: 'ask', changesThings: true, touches: files('fs.write') },
  run: { kind: 'execute', repeat: 'unsafe', says: 'ask', changesThings: true, touches: unnamed },
  build: { kind: 'execute', repeat: 'unsafe', says: 'allow', changesThings: true, touches: unnamed },
  /** Goes on when the process that began it is gone, and can be found again. */
  spawn: { kind: 'execute', repeat: 'resumable', says: 'ask', changesThings: true, touches: unnamed },
  fetch: { kind: 'fetch', repeat: 'safe', says: 'ask', changesThings: false, touches: hosts('read') },
  post: { kind: 'communicate', repeat: 'unsafe', says: 'ask', changesThings: true, touches: hosts('write') },
  rm: { kind: 'delete', repeat: 'unsafe', says: 'deny', changesThings: true, touches: files('fs.write') },
};

/** In a target: do it in a way that policy denies, whatever the tool. It touches no more than without. */
const FORBIDDEN_WAY = '!';
/** The file that nothing writes without a question, whatever mode, rule or hook would have it. */
const KEYS = 'k';

/** One file per letter of the target. */
function files(kind: 'fs.read' | 'fs.write'): ToolTruth['touches'] {
  return (target) =>
    Array.from(target.replace(FORBIDDEN_WAY, ''), (name) => ({
      kind,
      path: `/w/${name}`,
      scope: 'file',
      place: 'workspace',
      guarded: name === KEYS ? 'it holds keys' : null,
    }));
}

function folder(kind: 'fs.read' | 'fs.write'): Resource {
  return { kind, path: '/w', scope: 'tree', place: 'workspace', guarded: null };
}

function hosts(access: 'read' | 'write'): ToolTruth['touches'] {
  return (target) => [{ kind: 'net', host: `${target}.example`, access }];
}

function unnamed(target: string): readonly Resource[] {
  return [{ kind: 'opaque', why: target }];
}

/** The state of the world that a plan was made in. */
export type Basis =
  | 'first'
  /** The file has other content now: the plan touches the same, and its digest is another. */
  | 'changed'
  /** The path leads elsewhere now: the plan touches more. */
  | 'moved';

export type PlannedCall = Deed & {
  readonly turn: number;
  readonly callId: string;
  readonly after: Plan['after'];
};

/** `blocks`: how often a sandbox kept it from something, which it is now to be given. */
export function planOf(
  call: PlannedCall,
  basis: Basis,
  blocks = 0,
): { readonly plan: Plan; readonly preview: Preview } {
  const { kind, repeat, touches } = truthOf(call.tool);
  const elsewhere = basis === 'moved' ? touches('m') : [];
  const digest = `${digestStem(call)}${basis}${'+'.repeat(blocks)}`;
  const plan: Plan = {
    title: digest,
    kind,
    resources: [...touches(call.target), ...elsewhere],
    locations: [],
    basis: [],
    ...(blocks > 0 && { needs: Array.from({ length: blocks }, (): Need => NEED) }),
    repeat,
    after: call.after,
    byDefault: null,
    digest,
  };
  return { plan, preview: { confirmation: confirmationOf(kind, digest) } };
}

export const NEED: Need = { needs: 'network', host: null };

export const basisIn = (digest: string): Basis =>
  BASES.find((basis) => digest.replaceAll('+', '').endsWith(`#${basis}`)) ?? 'first';
export const BASES: readonly Basis[] = ['first', 'changed', 'moved'];

/** What the digest of every plan for these arguments begins with. */
export const digestStem = ({ turn, callId, tool, target }: Omit<PlannedCall, 'after'>): string =>
  `${turn}:${callId} ${tool} ${target} #`;

function confirmationOf(kind: Kind, title: string): Confirmation {
  switch (kind) {
    case 'edit': {
      const file = { fileName: 'f', filePath: 'f', fileDiff: '', originalContent: null, newContent: '' };
      return { type: 'edit', title, ...file, diffStat: { added: 0, removed: 0 } };
    }
    case 'execute': {
      const commands = { command: 'x', rootCommand: 'x', rootCommands: ['x'], directory: '/w' };
      return { type: 'exec', title, ...commands, riskLevel: 'low', riskReasons: [] };
    }
    default:
      return { type: 'info', title, prompt: '', urls: [] };
  }
}

/** `strict` denies whatever changes things: a policy that was replaced while calls are open. */
export const POLICIES = ['usual', 'strict'] as const;
export type PolicyName = (typeof POLICIES)[number];

export type Rules = { readonly policy: PolicyName; readonly mode: ApprovalMode };

/** What policy says of a call as such, whether or not somebody could be asked. */
export function says(deed: Deed, rules: Rules): 'allow' | 'ask' | 'deny' {
  const { says: usually, changesThings } = truthOf(deed.tool);
  const { policy, mode } = rules;
  if (usually === 'deny' || deed.target.includes(FORBIDDEN_WAY)) return 'deny';
  if (changesThings && (policy === 'strict' || mode === 'plan')) return 'deny';
  if (isGuarded(deed) || mode === 'confirm_always') return 'ask';
  return mode === 'yolo' ? 'allow' : usually;
}

/** The same once hooks have spoken (SPEC H2): they tighten anything, and loosen only what policy merely asks. */
export function saysWithHooks(
  deed: Deed,
  rules: Rules,
  advice: HookAdvice['decision'] | null,
): 'allow' | 'ask' | 'deny' {
  const said = says(deed, rules);
  if (said === 'deny' || advice === 'deny') return 'deny';
  if (advice === 'ask') return 'ask';
  return advice === 'allow' && mayBeLoosened(deed, rules) ? 'allow' : said;
}

/** Whether nothing but a rule wants it asked about. */
export const mayBeLoosened = (deed: Deed, rules: Rules): boolean =>
  says(deed, rules) === 'ask' && !isGuarded(deed) && rules.mode !== 'confirm_always';

const isGuarded = ({ tool, target }: Deed): boolean =>
  truthOf(tool)
    .touches(target)
    .some((touched) => 'guarded' in touched && touched.guarded !== null);

/** The same as rules for the kernel, which must give the same verdicts. */
export function policyNamed(policy: PolicyName, { compilePolicy }: Kernel): Policy {
  const tools = Object.entries(TOOLS);
  const changing = tools.flatMap(([name, { changesThings }]) => (changesThings ? [name] : []));
  return compilePolicy(
    [
      ...tools.map(([name, truth]) => rule([name], DECISIONS[truth.says])),
      rule(
        tools.map(([name]) => name),
        'deny',
        { type: 'argument', key: 'target', pattern: FORBIDDEN_PATTERN },
      ),
      ...(policy === 'strict' ? [rule(changing, 'deny')] : []),
    ],
    policy,
  );
}

const DECISIONS = { allow: 'allow', ask: 'ask_user', deny: 'deny' } as const;
const FORBIDDEN_PATTERN = {
  source: FORBIDDEN_WAY,
  test: (text: string) => text.includes(FORBIDDEN_WAY),
};

/** Of equals the strictest is the one that speaks. */
const rule = (tools: readonly string[], decision: PolicyDecision, args: Rule['args'] = null): Rule => ({
  ref: { name: null, tier: 'user', priority: 1, file: 'world.toml', line: 1 },
  tools,
  mcpServer: null,
  args,
  command: null,
  annotations: null,
  decision,
  modes: null,
  interactive: null,
  subagent: null,
  allowRedirection: false,
  denyMessage: null,
});

export const targetIn = ({ target }: JsonObject): string => (typeof target === 'string' ? target : '');

/** Whether a standing permission was given for such a call. */
export function isCovered(pattern: GrantPattern, { tool }: Deed, plan: Plan): boolean {
  switch (pattern.kind) {
    case 'edits':
      return (
        plan.kind === 'edit' &&
        plan.resources.every((touched) => 'guarded' in touched && touched.guarded === null)
      );
    case 'host':
      return (
        tool === pattern.tool &&
        plan.resources.every((one) => one.kind === 'net' && one.host === pattern.host)
      );
    case 'tool':
    case 'command':
    case 'mcp-tool':
    case 'mcp-server':
      // No world offers these.
      return false;
  }
}

/** SPEC S2: two calls conflict when one writes what the other touches. */
export const conflict = (a: Plan, b: Plan): boolean =>
  a.resources.some((one) => b.resources.some((other) => clash(one, other))) ||
  (peeks(a) && b.resources.some(writes)) ||
  (peeks(b) && a.resources.some(writes));

/** What it reads is not known, so that it may be anything. */
const peeks = ({ kind, resources }: Plan): boolean => kind === 'read' && resources.length === 0;

function clash(a: Resource, b: Resource): boolean {
  if (a.kind === 'opaque' || b.kind === 'opaque') return writes(a) && writes(b);
  if (!writes(a) && !writes(b)) return false;
  if ('path' in a && 'path' in b) return isWithin(a.path, b.path) || isWithin(b.path, a.path);
  return a.kind === 'net' && b.kind === 'net' && a.host === b.host;
}

function writes(resource: Resource): boolean {
  switch (resource.kind) {
    case 'fs.read':
      return false;
    case 'fs.write':
    case 'opaque':
      return true;
    case 'net':
    case 'mcp':
      return resource.access === 'write';
  }
}

const isWithin = (path: string, folder: string): boolean => path === folder || path.startsWith(`${folder}/`);

/** What a person who was shown the plan has seen of what it reaches, in words. */
export const touchedBy = (plan: Plan): readonly string[] =>
  plan.resources.flatMap((resource) => {
    if ('path' in resource) return [resource.path];
    return resource.kind === 'net' ? [resource.host] : [];
  });

function truthOf(tool: string): ToolTruth {
  const truth = TOOLS[tool];
  if (!truth) throw new Error(`No world has the tool ${tool}`);
  return truth;
}
