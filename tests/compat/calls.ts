import { analyzeCommand } from '@countersign/commands';
import type { Subject } from '@countersign/kernel';
import type { ApprovalMode, JsonObject, Kind, Resource } from '@countersign/protocol';

/** A call as a tool would plan it, in circumstances that are filled in later. */
export type Call = Omit<Subject, 'mode' | 'attended'>;

/** What each character of an expectation is about, in order. */
export const CIRCUMSTANCES: readonly { readonly mode: ApprovalMode; readonly attended: boolean }[] = (
  ['manual', 'auto_edit', 'plan', 'yolo'] as const
).flatMap((mode) => [true, false].map((attended) => ({ mode, attended })));

function call(tool: string, args: JsonObject, kind: Kind, resources: readonly Resource[]): Call {
  return {
    tool,
    args,
    plan: { kind, resources, byDefault: null },
    commands: null,
    mcpServer: null,
    annotations: null,
    origin: 'model',
    subagent: null,
  };
}

const file = (kind: 'fs.read' | 'fs.write', path: string): Resource => ({
  kind,
  path: path.startsWith('/') ? path : `/workspace/${path}`,
  scope: 'file',
  place: path.startsWith('/') ? 'outside' : 'workspace',
  guarded: null,
});

export const reading = (tool: string, path = 'src/a.ts'): Call =>
  call(tool, { file_path: path }, 'read', [file('fs.read', path)]);

export const editing = (tool: 'write_file' | 'replace', path: string, more: JsonObject = {}): Call =>
  call(tool, { file_path: path, ...more }, 'edit', [file('fs.write', path)]);

/** `changes`: what the command touches is not known, as of most. */
export const running = (command: string, changes = true): Call => ({
  ...call('run_shell_command', { command }, 'execute', changes ? [{ kind: 'opaque', why: 'a command' }] : []),
  commands: analyzeCommand(command),
});

export const fetching = (tool: string): Call =>
  call(tool, { prompt: 'https://a.example' }, 'fetch', [{ kind: 'net', host: 'a.example', access: 'read' }]);

/** Tools that touch nothing: notes, questions, agents. */
export const thinking = (tool: string, args: JsonObject = {}): Call => call(tool, args, 'think', []);

/** A tool of a project's own command: a script, of which nothing is known. */
export const discovered = (tool: string): Call =>
  call(tool, {}, 'other', [{ kind: 'opaque', why: 'a script of the project' }]);

/** `looks`: the server says of the tool that it only reads. */
export function serving(server: string, tool: string, looks: 'looks' | 'changes' = 'changes'): Call {
  const resource: Resource = { kind: 'mcp', server, tool, access: looks === 'looks' ? 'read' : 'write' };
  const { plan, ...rest } = call(`mcp_${server}_${tool}`, {}, 'other', [resource]);
  return {
    ...rest,
    // What no rule mentions is asked about, whatever a server says of itself.
    plan: { ...plan, byDefault: 'ask_user' },
    mcpServer: server,
    annotations: looks === 'looks' ? { readOnlyHint: true } : {},
  };
}
