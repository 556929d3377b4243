import { readFileSync } from 'node:fs';
import type { Confirmation, Json, JsonObject } from '@countersign/protocol';

/** A case of the corpus; its meaning is section 3 of the corpus's SEMANTICS. */
export type Case = {
  readonly id: string;
  readonly field: string;
  readonly text: string | Generated;
  readonly why: string;
  readonly must: Must;
};
type Generated =
  | {
      readonly gen: 'concat';
      readonly parts: readonly (string | { readonly repeat: string; readonly n: number })[];
    }
  | { readonly gen: 'json'; readonly depth: number };
export type Must = {
  readonly shows?: readonly string[];
  readonly visibleEscape?: readonly string[];
  readonly noRawControl?: true;
  readonly layoutIntact?: true;
  readonly lineCount?: number;
  readonly fullTextReachable?: true;
  readonly tailVisibleBeforeApprove?: string;
  readonly warn?: boolean;
  readonly marksNonAscii?: true;
  readonly approveOffered?: false;
  readonly distinctFrame?: true;
  readonly showsCount?: string;
  readonly maxRenderMs?: number;
  readonly noCrash?: true;
  /** These three are for a page. In a terminal nothing is ever more than text. */
  readonly noHtml?: true;
  readonly noLink?: true;
  readonly noRemoteLoad?: true;
};
const read = (file: string): readonly Case[] =>
  readFileSync(new URL(file, import.meta.url), 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));

/** The corpus as it was given, and more of the same kinds. */
export const cases = [...read('./approvals-ui.public.jsonl'), ...read('./approvals-ui.own.jsonl')];

/** The title of most tools holds what the model wrote as well. */
export const titleOf = (confirmation: Confirmation): string =>
  confirmation.type === 'exec' ? `Run ${confirmation.command}` : confirmation.title;

export function confirmationOf(field: string, given: Case['text']): Confirmation {
  const text = generatedText(given);
  const mcp = {
    type: 'mcp',
    title: 'Call deploy',
    serverName: 'cloud',
    toolName: 'deploy',
    toolDisplayName: 'deploy',
    toolArgs: { region: 'eu' },
    toolDescription: 'Deploys.',
  } as const;
  switch (field) {
    case 'command':
      return {
        type: 'exec',
        title: '',
        command: text,
        rootCommand: '',
        rootCommands: [],
        directory: '/home/me/project',
        riskLevel: 'low',
        riskReasons: [],
      };
    case 'diff':
      return {
        type: 'edit',
        title: 'Write src/a.ts',
        fileName: 'a.ts',
        filePath: '/home/me/project/src/a.ts',
        fileDiff: text,
        originalContent: '',
        newContent: text.replace(/^\+/gm, ''),
        diffStat: { added: text.match(/^\+/gm)?.length ?? 0, removed: 0 },
      };
    case 'url':
      return { type: 'info', title: 'Fetch a page', prompt: 'Summarise it.', urls: [text] };
    case 'toolName':
      return { ...mcp, title: `Call ${text}`, toolName: text, toolDisplayName: text };
    case 'mcpDescription':
      return { ...mcp, toolDescription: text };
    case 'args':
      return { ...mcp, toolArgs: asObject(JSON.parse(text)) };
    default:
      throw new Error(`A case has the field ${field}, which is not known here`);
  }
}

const asObject = (value: Json): JsonObject => (isObject(value) ? value : { value });
const isObject = (value: Json): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export function generatedText(given: Case['text']): string {
  if (typeof given === 'string') return given;
  if (given.gen === 'json') return `${'{"a":'.repeat(given.depth)}1${'}'.repeat(given.depth)}`;
  return given.parts.map((part) => (typeof part === 'string' ? part : part.repeat.repeat(part.n))).join('');
}

export const partsOf = (text: Case['text']): readonly string[] =>
  typeof text === 'string' || text.gen === 'json'
    ? []
    : text.parts.filter((part) => typeof part === 'string').flatMap((part) => part.trim().split('\n'));

/** A character of the corpus, by the code in whose form it is shown. */
export const codeAs = (code: string): RegExp => {
  const digits = code.slice(2).replace(/^0+(?=..)/, '');
  return new RegExp(`\\\\x${digits}|\\\\u\\{${digits}\\}`, 'i');
};
