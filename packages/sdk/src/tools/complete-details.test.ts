import { expect, test } from 'vitest';
import type { ToolOwnConfirmation } from '../types/tool-types.js';
import { completeDetails } from './complete-details.js';

const about = {
  name: 'deploy',
  displayName: 'Deploy',
  description: 'Deploy to a target.',
  title: 'Deploy to eu',
  args: { target: 'eu' },
  workspace: '/ws',
  path: '/ws/a.txt',
};
const completed = (own: ToolOwnConfirmation) => completeDetails(own, about);

test('an edit gets the difference and its statistics from the contents [A1]', () => {
  expect(
    completed({ type: 'edit', title: 'Edit', originalContent: 'a\nb\n', newContent: 'a\nc\nd\n' }),
  ).toEqual({
    type: 'edit',
    title: 'Edit',
    fileName: 'a.txt',
    filePath: '/ws/a.txt',
    fileDiff: '--- /ws/a.txt\n+++ /ws/a.txt\n@@ -1,2 +1,3 @@\n a\n-b\n+c\n+d\n',
    originalContent: 'a\nb\n',
    newContent: 'a\nc\nd\n',
    diffStat: { added: 2, removed: 1 },
  });
});

test('the details that an edit gives itself are kept; a diff alone is counted [A1]', () => {
  const fileDiff = '--- a\n+++ b\n@@ -1 +1,2 @@\n-x\n+y\n+z\n';
  expect(
    completed({ type: 'edit', title: 'Edit', fileName: 'b.txt', filePath: 'dir/b.txt', fileDiff }),
  ).toMatchObject({
    fileName: 'b.txt',
    filePath: 'dir/b.txt',
    fileDiff,
    originalContent: null,
    diffStat: { added: 2, removed: 1 },
  });
  expect(
    completed({ type: 'edit', title: 'Edit', fileDiff, diffStat: { added: 9, removed: 9 } }),
  ).toMatchObject({ diffStat: { added: 9, removed: 9 } });
});

test('a command gets its directory, its root command, and medium risk [A1]', () => {
  expect(completed({ type: 'exec', title: 'Run', command: 'git log -1', rootCommand: 'git' })).toEqual({
    type: 'exec',
    title: 'Run',
    command: 'git log -1',
    rootCommand: 'git',
    rootCommands: ['git'],
    directory: '/ws',
    riskLevel: 'medium',
    riskReasons: [],
  });
  expect(completed({ type: 'exec', title: 'Run', command: ' make all' })).toMatchObject({
    rootCommand: 'make',
    rootCommands: ['make'],
  });
});

test('the other kinds are filled in from the call [A1]', () => {
  expect(completed({ type: 'info', title: '' })).toEqual({
    type: 'info',
    title: 'Deploy to eu',
    prompt: 'deploy {\n  "target": "eu"\n}',
    urls: [],
  });
  expect(completed({ type: 'mcp', title: 'Call', serverName: 's' })).toEqual({
    type: 'mcp',
    title: 'Call',
    serverName: 's',
    toolName: 'deploy',
    toolDisplayName: 'Deploy',
    toolArgs: { target: 'eu' },
    toolDescription: 'Deploy to a target.',
  });
  expect(completed({ type: 'ask_user', title: 'Ask' })).toEqual({
    type: 'ask_user',
    title: 'Ask',
    questions: [],
  });
  expect(completed({ type: 'exit_plan_mode', title: 'Plan', plan: 'do it' })).toEqual({
    type: 'exit_plan_mode',
    title: 'Plan',
    planPath: '/ws/a.txt',
    plan: 'do it',
  });
});

test('only plain, known parts are kept, and a kind that is not known is shown by its arguments [A1]', () => {
  const own = { type: 'info', title: 'T', prompt: 'P', urls: ['u'], extra: 1, onConfirm: () => {} } as const;
  expect(completed(own)).toEqual({ type: 'info', title: 'T', prompt: 'P', urls: ['u'] });
  const foreign: ToolOwnConfirmation = JSON.parse('{"type":"sandbox_expansion","title":"Widen"}');
  expect(completed(foreign)).toEqual({
    type: 'info',
    title: 'Deploy to eu',
    prompt: 'deploy {\n  "target": "eu"\n}',
    urls: [],
  });
});
