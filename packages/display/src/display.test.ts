import { jsonText } from '@countersign/kernel';
import type { Confirmation, Json } from '@countersign/protocol';
import { expect, test } from 'vitest';
import { displayOf } from './display.js';
import { textOf } from './visible-text.js';

const exec = (command: string): Extract<Confirmation, { type: 'exec' }> => ({
  type: 'exec',
  title: 'Run it',
  command,
  rootCommand: 'ls',
  rootCommands: ['ls'],
  directory: '/w',
  riskLevel: 'high',
  riskReasons: ['it deletes'],
});
const mcp = (toolArgs: { readonly [key: string]: Json }): Confirmation => ({
  type: 'mcp',
  title: '',
  serverName: 'cloud',
  toolName: 'read',
  toolDisplayName: '',
  toolArgs,
  toolDescription: 'It [reads](javascript:x).',
});
const edit = (newContent: string, filePath = '/w/a'): Confirmation => ({
  type: 'edit',
  title: '',
  fileName: 'a',
  filePath,
  fileDiff: `+${newContent}\n`,
  originalContent: null,
  newContent,
  diffStat: { added: 1, removed: 0 },
  notes: ['never read'],
});

function shown(confirmation: Confirmation, title = 'Do it') {
  const { blocks, ...rest } = displayOf(title, confirmation);
  return {
    ...rest,
    title: textOf(rest.title),
    blocks: blocks.map(({ label, lines }) => [label, ...lines.map(textOf)]),
  };
}

test('each kind of question shows all that it is about [A1] [A7]', () => {
  expect(shown(exec('ls\nrm x'))).toEqual({
    title: 'Do it',
    blocks: [
      [null, 'ls', 'rm x'],
      ['Directory', '/w'],
      ['Risk', 'high; it deletes'],
    ],
    warnings: [],
    asks: 'Allow execution?',
    canApprove: true,
  });
  expect(shown(mcp({ a: [1, 'x\n"\\'] }))).toMatchObject({
    blocks: [
      ['Server', 'cloud'],
      ['Tool', 'read'],
      ['Description', 'It [reads](javascript:x).'],
      [null, '{', '  "a": [', '    1,', '    "x\\n\\"\\\\"', '  ]', '}'],
    ],
    warnings: [],
  });
  expect(shown(edit('x'))).toMatchObject({
    blocks: [
      ['File', '/w/a'],
      [null, '+x'],
      ['Changes', '1 line added, 0 lines removed'],
      ['Note', 'never read'],
    ],
    asks: 'Apply this change?',
  });
  expect(shown({ type: 'info', title: '', prompt: 'Look', urls: ['https://é.example', 'b'] }).blocks).toEqual(
    [
      [null, 'Look'],
      ['Address', 'https://\\u{e9}.example', 'b'],
    ],
  );
  const question = {
    question: 'Which?',
    header: '',
    type: 'choice',
    options: [{ label: 'A', description: 'first' }],
  } as const;
  expect(shown({ type: 'ask_user', title: '', questions: [question] }).blocks).toEqual([
    [null, 'Which?', '- A: first'],
  ]);
  expect(shown({ type: 'exit_plan_mode', title: '', planPath: '/p', plan: 'Do.' }).blocks).toEqual([
    ['File', '/p'],
    [null, 'Do.'],
  ]);
});

test('warnings name what is shown as codes and how often, once however often it is reported [A7]', () => {
  const { warnings } = shown(exec('a\u001bb\u001b\u202e\u0007\b\v'), 'Run a\u001bb\n\u200b');
  expect(warnings).toEqual([
    'shown as codes: control characters, which could rewrite the screen (U+001B×2, U+0007, U+0008 and 1 more)',
    'shown as codes: characters that change the text direction (U+202E)',
    'shown as codes: invisible characters (U+200B)',
  ]);
  expect(shown(edit('x\r')).warnings).toEqual([]);
});

test('what cannot be done as it is shown cannot be agreed to [A7]', () => {
  for (const bad of [
    exec('a\0b'),
    exec('\ud800'),
    mcp({ a: { '\0': 1 } }),
    mcp({ a: ['\udfff'] }),
    edit('\ud800'),
    edit('', '/w\0'),
  ])
    expect(shown(bad)).toMatchObject({
      canApprove: false,
      warnings: [expect.stringContaining('so it cannot be approved'), expect.anything()],
    });
  expect(shown(edit('\0')).canApprove).toBe(true);
});

test('JSON is written for people however deep it is, and however empty', () => {
  expect(jsonText({ a: {}, b: [], c: null, d: [[true]] })).toBe(
    '{\n  "a": {},\n  "b": [],\n  "c": null,\n  "d": [\n    [\n      true\n    ]\n  ]\n}',
  );
  let deep: Json = 1;
  for (let level = 0; level < 10_000; level++) deep = [deep];
  const text = jsonText(deep);
  expect(text.replace(/\s/g, '')).toBe(`${'['.repeat(10_000)}1${']'.repeat(10_000)}`);
  expect(text.length).toBeLessThan(1_000_000);
});

test.each([
  [{ type: 'everything', why: '' } as const, 'run with all your permissions, outside the sandbox'],
  [{ type: 'confined', needs: [] } as const, 'change the workspace; not use the network'],
  [
    {
      type: 'confined',
      needs: [
        { needs: 'network', host: 'example.org' },
        { needs: 'write', path: '/c\u202Edap', scope: 'tree' },
      ],
    } as const,
    'change the workspace; use the network, for example example.org; write /c\\u{202e}dap and its contents',
  ],
])('a command is shown with what it may reach if it is approved: %j [B1, A7]', (reach, shown) => {
  const { blocks } = displayOf('x', { ...exec('x'), reach });
  const may = blocks.find(({ label }) => label === 'Permissions');
  expect(may?.lines.map(textOf).join('\n')).toBe(shown);
});
