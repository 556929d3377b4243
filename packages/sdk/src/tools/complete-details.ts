import { basename } from 'node:path';
import { type UnifiedDiff, unifiedDiff } from '@countersign/host';
import type { Confirmation, DiffStat, JsonObject } from '@countersign/protocol';
import type { ToolOwnConfirmation } from '../types/tool-types.js';

/** What is known of the call besides the tool's own details. */
export type DetailsOf = {
  readonly name: string;
  readonly displayName: string;
  readonly description: string;
  readonly title: string;
  readonly args: JsonObject;
  readonly workspace: string;
  /** The first file it would touch. */
  readonly path: string | null;
};

/** A tool's own details with what it omitted, as plain data: what a tool adds beside the known parts is not kept. */
export function completeDetails(own: ToolOwnConfirmation, about: DetailsOf): Confirmation {
  const title = own.title || about.title;
  switch (own.type) {
    case 'edit':
      return { type: 'edit', title, ...editOf(own, about) };
    case 'exec': {
      const command = own.command ?? title;
      const rootCommand = own.rootCommand ?? command.trim().split(/\s+/)[0] ?? '';
      return {
        type: 'exec',
        title,
        command,
        rootCommand,
        rootCommands: [...(own.rootCommands ?? (rootCommand === '' ? [] : [rootCommand]))],
        directory: own.directory ?? about.workspace,
        // The command was not analysed: neither harmless nor known to be dangerous.
        riskLevel: own.riskLevel ?? 'medium',
        riskReasons: [...(own.riskReasons ?? [])],
      };
    }
    case 'mcp':
      return {
        type: 'mcp',
        title,
        serverName: own.serverName ?? '',
        toolName: own.toolName ?? about.name,
        toolDisplayName: own.toolDisplayName ?? about.displayName,
        toolArgs: own.toolArgs ?? about.args,
        toolDescription: own.toolDescription ?? about.description,
      };
    case 'ask_user':
      return { type: 'ask_user', title, questions: [...(own.questions ?? [])] };
    case 'exit_plan_mode':
      return {
        type: 'exit_plan_mode',
        title,
        planPath: own.planPath ?? about.path ?? '',
        plan: own.plan ?? '',
      };
    case 'info':
      return { type: 'info', title, prompt: own.prompt ?? promptOf(about), urls: [...(own.urls ?? [])] };
    default:
      // A kind that only JavaScript can give: shown by the call's title and arguments.
      return { type: 'info', title: about.title, prompt: promptOf(about), urls: [] };
  }
}

const promptOf = ({ name, args }: DetailsOf): string => `${name} ${JSON.stringify(args, null, 2)}`;

type OwnEdit = Extract<ToolOwnConfirmation, { type: 'edit' }>;
type Edit = Extract<Confirmation, { type: 'edit' }>;

function editOf(own: OwnEdit, about: DetailsOf): Omit<Edit, 'type' | 'title'> {
  const filePath = own.filePath ?? about.path ?? own.fileName ?? '';
  const { originalContent = null, newContent = '' } = own;
  let diff: UnifiedDiff | null = null;
  const made = () => (diff ??= unifiedDiff(own.fileName ?? filePath, originalContent, newContent));
  const fileDiff = own.fileDiff ?? made().text;
  return {
    fileName: own.fileName ?? basename(filePath),
    filePath,
    fileDiff,
    originalContent,
    newContent,
    diffStat: ownStat(own.diffStat) ?? (own.newContent === undefined ? statOf(fileDiff) : made().stat),
    ...(own.notes && { notes: [...own.notes] }),
  };
}

/** Programs written for Gemini CLI use other fields; then the lines are counted again. */
function ownStat(stat: DiffStat | undefined): DiffStat | null {
  return typeof stat?.added === 'number' && typeof stat.removed === 'number'
    ? { added: stat.added, removed: stat.removed }
    : null;
}

/** Counted from the difference alone, where the contents are not known. */
function statOf(fileDiff: string): DiffStat {
  let added = 0;
  let removed = 0;
  let inHunk = false;
  for (const line of fileDiff.split('\n')) {
    if (line.startsWith('@@')) inHunk = true;
    else if (inHunk && line.startsWith('+')) added += 1;
    else if (inHunk && line.startsWith('-')) removed += 1;
  }
  return { added, removed };
}
