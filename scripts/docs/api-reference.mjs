import { join } from 'node:path';
import { readDoor } from '../source/door.mjs';
import { root } from '../source/files.mjs';

/** @typedef {import('../source/door.mjs').Door} Door */

/** Where the package "countersign" can be entered, and the types of each door as they are built. */
const DOORS = [
  { entry: 'countersign', file: 'sdk/index' },
  { entry: 'countersign/compat', file: 'sdk/compat' },
  { entry: 'countersign/testing', file: 'sdk/testing' },
  { entry: 'countersign/react', file: 'react/index' },
];

/** The names that each entry of the package exports, by entry. */
export const readDoors = () =>
  Object.fromEntries(
    DOORS.map(({ entry, file }) => [entry, readDoor(join(root, 'packages/cli/dist/types', `${file}.d.ts`))]),
  );

/**
 * docs/API.md: every name of the library, with its signature and what it is for.
 * @param {Readonly<Record<string, Door>>} doors
 */
export function apiReference(doors) {
  const {
    countersign,
    'countersign/compat': compat,
    'countersign/testing': testing,
    'countersign/react': react,
  } = doors;
  if (!countersign || !compat || !testing || !react) throw new Error('A door is missing');
  const own = new Map([...countersign].filter(([name]) => !compat.has(name)));
  return [
    '# The library',
    '',
    'Made by `npm run docs` from the types that the package ships. Do not edit. How to use it is told in',
    '[embed it in twenty lines](guide/embed-it-in-twenty-lines.md), [write a tool](guide/write-a-tool.md),',
    '[answer approvals from your own UI](guide/answer-approvals-from-your-own-ui.md) and',
    '[survive a restart](guide/survive-a-restart.md); `examples/` holds a program for each scenario.',
    '',
    'Fields are read-only throughout, and so are the lists: what you are shown is a frozen snapshot.',
    '',
    ...section('countersign', 'Everything below but the last two parts can be imported from here.', own),
    ...section(
      'countersign/compat',
      'The names that programs written for Gemini CLI know. `countersign` exports them too.',
      compat,
    ),
    ...section(
      'countersign/testing',
      'For testing a program that embeds the library: a scripted model and ears for the handlers.',
      testing,
    ),
    ...section(
      'countersign/react',
      'Hooks for front ends, in a terminal (Ink) or a page: the same that ours are built on..',
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
      ...declarations.flatMap(({ comment }) => (comment === null ? [] : [comment, ''])),
      '```typescript',
      declarations.map(({ signature }) => signature).join('\n'),
      '```',
      '',
    ]),
  ];
}
