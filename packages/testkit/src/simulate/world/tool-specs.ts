import { compilePolicy, type Policy, type Rule } from '@countersign/kernel';
import {
  type Confirmation,
  canonicalJson,
  type DeclaredResource,
  type JsonObject,
  type Kind,
  type Plan,
} from '@countersign/protocol';

export const WORKSPACE = '/w';

/** A simulated tool. `on` is the thing a call is about: a path, a host, or nothing in particular. */
export type Spec = {
  readonly name: string;
  readonly kind: Kind;
  readonly hasEffect: boolean;
  readonly repeat: Plan['repeat'];
  readonly asksByItself: boolean;
  readonly confirmation: 'edit' | 'mcp' | 'info';
  /** Whether its plan rests on what the file holds. */
  readonly readsBefore: boolean;
  /** Whether it wants to be told of the answer to its question. */
  readonly listens: boolean;
  readonly things: readonly [string, ...string[]];
  readonly touches: (on: string) => readonly DeclaredResource[];
  /** Whether its plan says what it touches. */
  readonly declares: 'what it touches' | 'nothing';
};

const FILES = [`${WORKSPACE}/a`, `${WORKSPACE}/b`, `${WORKSPACE}/d/c`] as const;
const OUTSIDE = '/etc/x';
const HOSTS = ['one.example', 'two.example'] as const;
export const SERVER = 'mail';

const plain = {
  hasEffect: false,
  repeat: 'safe',
  asksByItself: false,
  confirmation: 'info',
  readsBefore: false,
  listens: false,
  declares: 'what it touches',
} as const;
const writesFile = (path: string) => [{ kind: 'fs.write', path, scope: 'file' }] as const;

export const SPECS: readonly [Spec, ...Spec[]] = [
  { ...plain, name: 'think', kind: 'think', things: [''], touches: () => [] },
  {
    ...plain,
    name: 'peek',
    kind: 'read',
    declares: 'nothing',
    things: [''],
    touches: () => [{ kind: 'fs.read', path: WORKSPACE, scope: 'tree' }],
  },
  {
    ...plain,
    name: 'look',
    kind: 'read',
    things: [...FILES, OUTSIDE],
    touches: (path) => [{ kind: 'fs.read', path, scope: 'file' }],
  },
  {
    ...plain,
    name: 'scan',
    kind: 'search',
    things: [WORKSPACE, `${WORKSPACE}/d`],
    touches: (path) => [{ kind: 'fs.read', path, scope: 'tree' }],
  },
  {
    ...plain,
    name: 'edit',
    kind: 'edit',
    hasEffect: true,
    repeat: 'unsafe',
    confirmation: 'edit',
    readsBefore: true,
    things: [...FILES, OUTSIDE],
    touches: writesFile,
  },
  {
    ...plain,
    name: 'tidy',
    listens: true,
    kind: 'edit',
    hasEffect: true,
    confirmation: 'edit',
    things: FILES,
    touches: writesFile,
  },
  {
    ...plain,
    name: 'fetch',
    kind: 'fetch',
    asksByItself: true,
    things: HOSTS,
    touches: (host) => [{ kind: 'net', host, access: 'read' }],
  },
  {
    ...plain,
    name: 'push',
    listens: true,
    kind: 'communicate',
    hasEffect: true,
    repeat: 'unsafe',
    things: HOSTS,
    touches: (host) => [{ kind: 'net', host, access: 'write' }],
  },
  {
    ...plain,
    name: 'send',
    kind: 'communicate',
    hasEffect: true,
    repeat: 'unsafe',
    confirmation: 'mcp',
    things: [''],
    touches: () => [{ kind: 'mcp', server: SERVER, tool: 'send', access: 'write' }],
  },
  {
    ...plain,
    name: 'command',
    kind: 'execute',
    hasEffect: true,
    repeat: 'unsafe',
    things: [''],
    touches: () => [{ kind: 'opaque', why: 'a command' }],
  },
  {
    ...plain,
    name: 'spawn',
    kind: 'execute',
    hasEffect: true,
    repeat: 'resumable',
    things: [''],
    touches: () => [{ kind: 'opaque', why: 'a process of its own' }],
  },
  {
    ...plain,
    name: 'banned',
    kind: 'edit',
    hasEffect: true,
    repeat: 'unsafe',
    things: FILES,
    touches: writesFile,
  },
];

const NO_CONDITIONS = {
  mcpServer: null,
  args: null,
  command: null,
  annotations: null,
  modes: null,
  interactive: null,
  subagent: null,
  allowRedirection: false,
  denyMessage: null,
} as const;
const BAN: Rule = {
  ...NO_CONDITIONS,
  ref: { name: null, tier: 'user', priority: 100, file: 'simulation.toml', line: 1 },
  tools: ['banned'],
  decision: 'deny',
};
export const simulatedPolicy = (): Policy => compilePolicy([BAN], 'simulation');

export const classify = (workspace: string, path: string) =>
  ({
    place: path === workspace || path.startsWith(`${workspace}/`) ? 'workspace' : 'outside',
    guarded: null,
  }) as const;

/** The thing that a call is about. */
export const thingOf = (args: JsonObject): string => (typeof args['on'] === 'string' ? args['on'] : '');

/** What the person is shown: the arguments themselves, so that what ran can be held against it. */
export function confirmationOf(spec: Spec, args: JsonObject): Confirmation {
  const text = canonicalJson(args);
  const title = spec.name;
  switch (spec.confirmation) {
    case 'edit': {
      const filePath = thingOf(args);
      const diffStat = { added: 1, removed: 0 };
      const edited = { fileName: filePath, filePath, fileDiff: '', originalContent: null, diffStat };
      return { type: 'edit', title, ...edited, newContent: text };
    }
    case 'mcp': {
      const tool = { toolName: 'send', toolDisplayName: 'send', toolDescription: '' };
      return { type: 'mcp', title, serverName: SERVER, ...tool, toolArgs: args };
    }
    case 'info':
      return { type: 'info', title, prompt: text, urls: [] };
  }
}

export function argsShownIn(confirmation: Confirmation): string {
  switch (confirmation.type) {
    case 'edit':
      return confirmation.newContent;
    case 'mcp':
      return canonicalJson(confirmation.toolArgs);
    case 'info':
      return confirmation.prompt;
    case 'exec':
    case 'ask_user':
    case 'exit_plan_mode':
      return '';
  }
}
