import { join } from 'node:path';
import { namesListedIn, readDoor } from '../source/door.mjs';
import { root } from '../source/files.mjs';

/** @typedef {import('../source/door.mjs').Door} Door */

/** Where the package "countersign" can be entered, and the types of each door as they are built. */
const DOORS = [
  { entry: 'countersign', file: 'sdk/index' },
  { entry: 'countersign/compat', file: 'sdk/compat' },
  { entry: 'countersign/testing', file: 'sdk/testing' },
  { entry: 'countersign/react', file: 'react/index' },
];

const fileOf = (/** @type {string} */ name) => join(root, 'packages/cli/dist/types', `${name}.d.ts`);

/** The names that each entry of the package exports, by entry. */
export const readDoors = () =>
  Object.fromEntries(DOORS.map(({ entry, file }) => [entry, readDoor(fileOf(file))]));

/** The names that a program needs: those that the root lists, before it re-exports all others. */
export const neededNames = () => namesListedIn(fileOf('sdk/index'));

/** What examples take for granted, so that each shows only what it is about. */
export const GIVEN = [
  'declare const config: Config;',
  'declare const registry: ToolRegistry;',
  'declare const scheduler: Scheduler;',
  'declare const waiting: WaitingToolCall;',
  'declare const completed: CompletedToolCall;',
  'declare const store: SessionStore;',
  'declare const stream: AgentStream;',
  'declare const signal: AbortSignal;',
  'declare function show(...values: unknown[]): void;',
];

/**
 * docs/API.md: every name of the library, with its signature, what it is for, and an example.
 * @param {Readonly<Record<string, Door>>} doors
 * @param {readonly string[]} needed
 */
export function apiReference(doors, needed) {
  const {
    countersign,
    'countersign/compat': compat,
    'countersign/testing': testing,
    'countersign/react': react,
  } = doors;
  if (!countersign || !compat || !testing || !react) throw new Error('A door is missing');
  const only = (/** @type {Door} */ door, /** @type {(name: string) => boolean} */ keep) =>
    new Map([...door].filter(([name]) => keep(name)));
  const isNeeded = (/** @type {string} */ name) => needed.includes(name);
  return [
    '# The library',
    '',
    'Made by `npm run docs` from the types that the package ships. Do not edit. To learn it, begin with',
    '[embed it in twenty lines](guide/embed-it-in-twenty-lines.md), [write a tool](guide/write-a-tool.md),',
    '[answer approvals from your own UI](guide/answer-approvals-from-your-own-ui.md) and',
    '[survive a restart](guide/survive-a-restart.md); `examples/` holds a program for each scenario.',
    '',
    'All fields and lists are read-only: a program receives frozen snapshots. The tests compile every example; each imports the',
    'names it uses from the entry it is listed under, `z` from `zod`, and takes these for granted:',
    '',
    '```typescript',
    ...GIVEN,
    '```',
    '',
    ...section('What a program needs', 'Import these from `countersign`.', only(countersign, isNeeded)),
    ...section(
      'More of our own',
      'Also from `countersign`: wrappers of a scheduler, and types that other names mention.',
      only(countersign, (name) => !isNeeded(name) && !compat.has(name)),
    ),
    ...section(
      'Names of Gemini CLI',
      'For programs written for Gemini CLI: from `countersign/compat`, or from `countersign`. `countersign/compat` also has those of the first part that Gemini CLI knows.',
      only(compat, (name) => !isNeeded(name)),
    ),
    ...section(
      'countersign/testing',
      'For testing a program that embeds the library: a scripted model, and handlers that record.',
      testing,
    ),
    ...section(
      'countersign/react',
      'Hooks for front ends, in a terminal (Ink) or a page. Our own front ends use the same.',
      react,
    ),
  ].join('\n');
}

/** @returns {string[]} */
function section(/** @type {string} */ title, /** @type {string} */ about, /** @type {Door} */ door) {
  const names = [...door].sort(([a], [b]) => (a.toLowerCase() < b.toLowerCase() ? -1 : 1));
  return [
    `## ${title}`,
    '',
    about,
    '',
    ...names.flatMap(([name, declarations]) => [
      `### ${name}`,
      '',
      `*${declarations.map(({ kind }) => kind).join(' and ')}*`,
      '',
      ...declarations.flatMap(({ comment }) =>
        comment === null ? [] : [comment.replace(/^@example$/gm, 'Example:\n'), ''],
      ),
      '```typescript',
      declarations.map(({ signature }) => signature).join('\n'),
      '```',
      '',
    ]),
  ];
}
