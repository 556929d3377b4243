import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { asLines, errorOf, type Place, test } from './program.js';

// `edit` is another name of two tools; which of them a call reaches is decided by its arguments.
const PART = { name: 'edit', args: { file_path: 'a.txt', old_string: 'old', new_string: 'new' } };
const WHOLE = { name: 'edit', args: { file_path: 'b.txt', new_content: 'new\n' } };
const CALLS = [PART, WHOLE, { ...PART, name: 'replace' }, { ...WHOLE, name: 'write_file' }];

function ruleFor(place: Place, toolName: string, decision: string): string {
  const file = join(place.directory, 'rules.toml');
  writeFileSync(file, `[[rule]]\ntoolName = "${toolName}"\ndecision = "${decision}"\npriority = 100\n`);
  return file;
}

for (const toolName of ['edit', 'edi*', 'e?it'])
  test(`a deny of "${toolName}" stops every tool that answers to it, in yolo too [P2] [T3]`, async ({
    place,
  }) => {
    place.write('a.txt', 'old\n');
    const file = ruleFor(place, toolName, 'deny');
    const args = ['exec', '--yolo', '--policy', file];
    const { code, lines, stderr } = await place.run(args, { stdin: asLines(...CALLS) });
    expect([code, stderr]).toEqual([1, '']);
    expect(lines.map((line) => errorOf(line).type)).toEqual(CALLS.map(() => 'policy_violation'));
    expect([place.read('a.txt'), place.has('b.txt')]).toEqual(['old\n', false]);
  });

test('an allow of "edit" is one for both tools, and a pattern that allows reaches no alias [P2] [T3]', async ({
  place,
}) => {
  const decisions = async (toolName: string) => {
    place.write('a.txt', 'old\n');
    const args = ['policy', 'check', '--json', '--policy', ruleFor(place, toolName, 'allow')];
    const { lines } = await place.run(args, { stdin: asLines(...CALLS) });
    return lines.map((line) => line['decision']);
  };
  expect(await decisions('edit')).toEqual(['allow', 'allow', 'allow', 'allow']);
  expect(await decisions('edi*')).toEqual(['ask_user', 'ask_user', 'ask_user', 'ask_user']);
});

test('rules that come with a call mean every tool of a shared name as well [P2] [P7]', async ({ place }) => {
  place.write('a.txt', 'old\n');
  const policy = [{ tool: 'edit', decision: 'deny' }];
  const calls = CALLS.map((call) => ({ ...call, policy }));
  const { lines } = await place.run(['policy', 'check', '--json'], { stdin: asLines(...calls) });
  expect(lines.map((line) => line['decision'])).toEqual(['deny', 'deny', 'deny', 'deny']);
});

test('a rule for a tool of a module holds by the alias that the module gives it [P2]', async ({ place }) => {
  const tools = join(place.directory, 'tools.mjs');
  writeFileSync(
    tools,
    `const tool = (name) => ({ name, description: '', kind: 'other', inputSchema: { type: 'object' },
      aliases: [{ name: 'ship', when: (args) => ('now' in args) === (name === 'ship_now') }], canUpdateOutput: false,
      check: (args) => ({ ok: true, args }), plan: () => ({ title: name, resources: [], repeat: 'safe' }),
      run: async () => ({ llmContent: 'done', returnDisplay: 'done' }) });
    export default [tool('ship_now'), tool('ship_later')];`,
  );
  const args = ['exec', '--yolo', '--tools', tools, '--policy', ruleFor(place, 'ship', 'deny')];
  const calls = [{ name: 'ship', args: {} }, { name: 'ship', args: { now: 1 } }, { name: 'ship_later' }];
  const { lines } = await place.run(args, { stdin: asLines(...calls) });
  expect(lines.map((line) => errorOf(line).type)).toEqual(calls.map(() => 'policy_violation'));
});

test('a hook whose matcher names an alias looks at every tool behind it [H1] [T3]', async ({ place }) => {
  place.write('a.txt', 'old\n');
  const command = 'echo "not this way" >&2; exit 2';
  const hooks = { BeforeTool: [{ matcher: '^edit$', hooks: [{ type: 'command', command }] }] };
  place.write('../home/settings.json', JSON.stringify({ hooks }));
  const { lines } = await place.run(['exec', '--yolo'], { stdin: asLines(...CALLS) });
  expect(lines.map((line) => errorOf(line).type)).toEqual(CALLS.map(() => 'hook_denied'));
  expect([place.read('a.txt'), place.has('b.txt')]).toEqual(['old\n', false]);
});
