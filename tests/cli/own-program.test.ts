import { symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { asLines, errorOf, type Line, type Place, PROGRAM, readCall, test, writeCall } from './program.js';

const shell = (command: string): Line => ({ name: 'run_shell_command', args: { command } });

const decisions = async (place: Place, calls: readonly Line[], ...args: string[]) => {
  const options = ['policy', 'check', '--json', ...args];
  const { lines, stderr } = await place.run(options, { stdin: asLines(...calls) });
  expect(stderr).toBe('');
  return lines.map(({ decision }) => decision);
};

const RUNS_US = [
  'countersign approvals answer s/c proceed_once',
  'countersign grants list',
  'countersign trust',
  'countersign serve &',
  'countersign exec --yolo "[]"',
  'countersign -p hi --yolo',
  '/usr/local/bin/countersign policy check ls',
  './node_modules/.bin/countersign grants list',
  'npx countersign grants list',
  'npx -y countersign@latest grants list',
  'npx --package=countersign countersign grants list',
  'npx -c "countersign grants list"',
  'npm exec countersign -- grants list',
  'npm x -- countersign grants list',
  'pnpm dlx countersign grants list',
  'yarn countersign grants list',
  'bun x countersign grants list',
  'node packages/cli/bin/countersign.js grants list',
  'node --no-warnings /opt/countersign/bin/program.js grants list',
  "node -e \"require('child_process').execSync('countersign grants list')\"",
  'node node_modules/countersign/dist/countersign.cjs grants list',
  'env X=1 timeout 5 countersign grants list',
  'sudo countersign grants list',
  'bash -c "countersign grants list"',
  'echo s/c | xargs countersign approvals answer',
  'true && (cd / && countersign grants list)',
  'x=$(countersign grants list)',
  'systemd-run --user countersign serve',
  'tmux new -d "countersign serve"',
  'python3 -c "import os; os.system(\'countersign trust\')"',
  'git -c alias.x="!countersign grants list" x',
  'find . -exec countersign grants list ";"',
  'CounterSign grants list',
  'node --import=countersign x.js',
  'node -r countersign x.js',
  'deno run -A npm:countersign trust',
  'node $(which countersign) approvals answer s/c proceed_once',
  "make -f - <<< 'x: ; countersign approvals answer s/c proceed_once'",
  'tmux new -d countersign',
  "GIT_EDITOR='countersign approvals answer s/c proceed_once #' git commit --allow-empty",
  'GIT_EXTERNAL_DIFF=countersign git diff',
  "git rebase -x 'countersign grants list' HEAD~1",
  'git bisect run countersign grants list',
  "split --filter='countersign grants list' a",
  'dpkg-architecture -c countersign grants list',
  'SHELL=countersign script -c x',
  'screen -dm countersign',
  'numactl countersign grants list',
  'setarch x86_64 countersign grants list',
  "git -c core.pager='countersign grants list' -p log",
  "mapfile -C 'countersign grants list;:' -c 1 z < a.txt",
  "env -S '-i countersign grants list'",
  'bun run node_modules/.bin/countersign trust',
];

for (const mode of ['manual', 'yolo', 'auto_edit'])
  test(`in ${mode}, no command of a model runs this program, however it is spelled [P5]`, async ({
    place,
  }) => {
    const found = await decisions(place, RUNS_US.map(shell), '--mode', mode);
    expect(RUNS_US.filter((_, at) => found[at] !== 'deny')).toEqual([]);
  });

test('speaking of this program, installing it, or asking for its version is not running it [P5]', async ({
  place,
}) => {
  const harmless = [
    'countersign --version',
    'countersign help policy',
    'npm install countersign',
    'grep -r countersign docs',
    'echo countersign approvals answer',
    'git commit -m "document countersign approvals answer"',
    'git clone https://github.com/x/countersign',
    'node /src/countersign/scripts/build.mjs',
    'docker build -t countersign .',
    'cat node_modules/countersign/README.md',
    'which countersign',
    'node scripts/build.mjs countersign',
    'npx prettier --write /src/countersign/docs/a.md',
    'npx eslint /src/countersign',
    'npm run build -- /src/countersign',
    'deno run -A x.ts countersign',
    'node --test tests/countersign.test.js',
    'npm -w countersign exec tsc',
    'git commit -m "countersign serve: say the port"',
    'cd /src/countersign && npm test',
  ];
  expect(await decisions(place, harmless.map(shell), '--mode', 'yolo')).not.toContain('deny');
});

test('what could be this program asks, in yolo too [P5]', async ({ place }) => {
  const unclear = ['c=countersign; $c approvals answer x y', '$X approvals answer s/c proceed_once'];
  expect(await decisions(place, unclear.map(shell), '--mode', 'yolo')).toEqual(['ask_user', 'ask_user']);
});

test('a rule that names this program lets it ask, and no other rule does [P2] [P5]', async ({ place }) => {
  const file = join(place.directory, 'rules.toml');
  const decide = async (condition: string) => {
    const rule = `[[rule]]\ntoolName = "run_shell_command"\ndecision = "allow"\npriority = 900\n${condition}\n`;
    writeFileSync(file, rule);
    return decisions(place, [shell('countersign policy check ls')], '--policy', file, '--mode', 'yolo');
  };
  expect(await decide('')).toEqual(['deny']);
  expect(await decide('commandRegex = ".*"')).toEqual(['deny']);
  expect(await decide('commandPrefix = "countersign policy"')).toEqual(['ask_user']);
});

test('an allowed one asks each time, and has no always [P6] [P5]', async ({ place }) => {
  const rule =
    'toolName = "run_shell_command"\ncommandPrefix = "countersign"\ndecision = "allow"\npriority = 900';
  place.write('../home/policies/mine.toml', `[[rule]]\n${rule}\n`);
  const running = place.start(['exec', '--yolo', '--approvals', 'stdio']);
  running.say({ id: 'a', ...shell('countersign grants list') });
  const approval = await running.approval('a');
  expect(JSON.stringify(approval)).not.toContain('proceed_always');
  running.answer(approval, 'cancel');
  expect(await running.line({ callId: 'a' })).toMatchObject({ status: 'cancelled' });
});

test('our own files are refused to file tools and to commands, whatever the mode [P5]', async ({ place }) => {
  place.write('../home/server-tokens.json', '{}');
  place.write('../home/policies/mine.toml', '');
  const tokens = join(place.home, 'server-tokens.json');
  symlinkSync(tokens, join(place.workspace, 'innocent.json'));
  const calls = [
    readCall(tokens, 'a'),
    readCall('innocent.json', 'b'),
    writeCall(join(place.home, 'policies/new.toml'), '', 'c'),
    { id: 'd', ...shell(`cat ${tokens}`) },
    { id: 'e', ...shell('cat ../home/server-tokens.json') },
    { id: 'f', ...shell(`echo > ${place.home}/policies/mine.toml`) },
    { id: 'g', ...shell(`cp x ${place.home}/policies/new.toml`) },
    { id: 'h', ...shell(`sqlite3 ${place.home}/countersign.db 'delete from grants'`) },
  ];
  for (const mode of ['--yolo', '--mode=auto_edit']) {
    const { lines } = await place.run(['exec', mode], { stdin: asLines(...calls) });
    expect(lines.map((line) => errorOf(line).type)).toEqual(calls.map(() => 'policy_violation'));
    expect(errorOf(lines[0]).message).toContain('Only a person may do that');
  }
  expect(place.has('../home/policies/new.toml')).toBe(false);
});

test('our own port is refused to commands, other ports are not [P5] [W3]', async ({ place }) => {
  const ours = [
    'curl http://127.0.0.1:7446/api/approvals',
    'curl -X POST localhost:7446/x',
    'nc localhost 7446',
    'wget -qO- http://[::1]:7446/',
    'curl http://127.1:7446/',
    'curl http://[0:0:0:0:0:0:0:1]:7446/',
    'exec 3<>/dev/tcp/127.0.0.1/7446',
  ];
  const others = [
    'curl http://127.0.0.1:3000/',
    'curl https://example.com:7446/',
    'echo http://localhost:7446',
  ];
  expect(await decisions(place, ours.map(shell), '--mode', 'yolo')).toEqual(ours.map(() => 'deny'));
  expect(await decisions(place, others.map(shell), '--mode', 'yolo')).not.toContain('deny');
});

test('a symlink to the program is the program [P5]', async ({ place }) => {
  symlinkSync(PROGRAM, join(place.workspace, 'tool'));
  const calls = [shell('./tool grants list'), shell('node tool grants list'), shell('cat tool')];
  const { lines } = await place.run(['exec', '--yolo'], { stdin: asLines(...calls) });
  expect(lines.slice(0, 2).map((line) => errorOf(line).message)).toEqual([
    expect.stringContaining('run Countersign itself'),
    expect.stringContaining('run Countersign itself'),
  ]);
});
