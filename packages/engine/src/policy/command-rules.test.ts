import type { Subject } from '@countersign/kernel';
import type { ApprovalMode, PolicyDecision } from '@countersign/protocol';
import { stopwatch } from '@countersign/testkit';
import { describe, expect, test } from 'vitest';
import { analyzeLine } from '../planning/known-commands.js';
import { DEFAULT_POLICY_SOURCE } from './default-policy.js';
import { loadPolicy, type PolicySource } from './load-policy.js';

type Given = { readonly mode?: ApprovalMode; readonly attended?: boolean; readonly changes?: boolean };

/** A call of the tool that runs commands. `changes`: what it touches is not known. */
async function calling(command: string, { mode = 'manual', attended = true, changes = true }: Given = {}) {
  const subject: Subject = {
    tool: 'run_shell_command',
    args: { command },
    plan: {
      kind: 'execute',
      resources: changes ? [{ kind: 'opaque', why: 'a command' }] : [],
      byDefault: null,
    },
    commands: await analyzeLine(command),
    mcpServer: null,
    annotations: null,
    origin: 'model',
    mode,
    attended,
    subagent: null,
  };
  return subject;
}

const source = (text: string, tier: PolicySource['tier'] = 'user'): PolicySource => ({
  file: `${tier}.toml`,
  text,
  tier,
});

async function policyOf(...sources: readonly PolicySource[]) {
  const loaded = await loadPolicy(sources, { knownTools: ['run_shell_command'] });
  if (!loaded.ok) throw new Error(loaded.failure.problem);
  return loaded.policy;
}

const rule = (decision: PolicyDecision, condition: string, more = '') =>
  `[[rule]]\ntoolName = "run_shell_command"\n${condition}\ndecision = "${decision}"\npriority = 100\n${more}\n`;

async function decisions(lines: readonly string[], ...sources: readonly PolicySource[]) {
  const policy = await policyOf(...sources);
  const entries = lines.map(async (line) => [line, policy.judge(await calling(line)).decision] as const);
  return Object.fromEntries(await Promise.all(entries));
}

describe('rules about commands', () => {
  const text =
    rule('allow', 'commandPrefix = ["git log", "npm test"]') + rule('deny', 'commandPrefix = "rm"');

  test('every command of a line is judged, and the strictest verdict counts [P4]', async () => {
    const lines = [
      'git log',
      'git log && npm test',
      'git log; make',
      'npm test; sudo /bin/rm -rf x',
      'git log > x',
    ];
    expect(await decisions(lines, source(text))).toEqual({
      'git log': 'allow',
      'git log && npm test': 'allow',
      'git log; make': 'ask_user',
      'npm test; sudo /bin/rm -rf x': 'deny',
      'git log > x': 'ask_user',
    });
  });

  test('a verdict names the rule, its line, and the command with its place [P1]', async () => {
    const policy = await policyOf(source(text));
    const line = 'git log && timeout 5 rm x';
    const { rule: spoke, matched, span, reason } = policy.judge(await calling(line));
    expect(spoke).toMatchObject({ file: 'user.toml', line: 7, tier: 'user' });
    expect(matched).toBe('rm x');
    expect(line.slice(span?.start, span?.end)).toBe('rm x');
    expect(reason).toContain('denies `rm x`');
  });

  test('tiers count for each command on its own [P2]', async () => {
    const admin = source(rule('ask_user', 'commandPrefix = "git push"'), 'admin');
    const user = source(rule('allow', 'commandPrefix = "git"'));
    expect(await decisions(['git push', 'git pull', 'git pull; git push'], user, admin)).toEqual({
      'git push': 'ask_user',
      'git pull': 'allow',
      'git pull; git push': 'ask_user',
    });
  });

  test('what might be denied is asked about in yolo too; the rest goes through [P1, P4]', async () => {
    const policy = await policyOf(source(text));
    const inYolo = async (line: string) => policy.judge(await calling(line, { mode: 'yolo' })).decision;
    expect(await inYolo('make')).toBe('allow');
    expect(await inYolo('rm x')).toBe('deny');
    expect(await inYolo('$X y')).toBe('ask_user');
    expect(await inYolo('echo "unfinished')).toBe('ask_user');
    const free = await policyOf();
    expect(free.judge(await calling('$X y', { mode: 'yolo' })).decision).toBe('allow');
  });

  test('in plan mode commands that only look pass, and others are denied [P1]', async () => {
    const policy = await policyOf(DEFAULT_POLICY_SOURCE);
    const inPlan = async (line: string, changes: boolean) =>
      policy.judge(await calling(line, { mode: 'plan', changes })).decision;
    expect(await inPlan('git status', false)).toBe('allow');
    expect(await inPlan('make', true)).toBe('deny');
  });

  test('without a user to ask, what would ask is denied [A8]', async () => {
    const policy = await policyOf(DEFAULT_POLICY_SOURCE);
    expect(policy.judge(await calling('make', { attended: false }))).toMatchObject({
      decision: 'deny',
      because: 'unattended',
    });
  });

  test('a condition on another argument mentions all commands of the calls that meet it [P3]', async () => {
    const denied = source(
      '[[rule]]\ntoolName = "run_shell_command"\nargsPattern = \'"dir_path":"prod\'\ndecision = "deny"\npriority = 200\n',
    );
    const policy = await policyOf(denied, source(text));
    const subject = await calling('git log');
    expect(policy.judge(subject).decision).toBe('allow');
    expect(policy.judge({ ...subject, args: { ...subject.args, dir_path: 'prod/db' } }).decision).toBe(
      'deny',
    );
  });

  test('the whole story has every rule that was considered for every command [P1]', async () => {
    const policy = await policyOf(source(text));
    const { verdict, trace } = policy.explain(await calling('git log; rm x; make'));
    expect(verdict.decision).toBe('deny');
    expect(trace.map(({ met, why }) => [met, why.replace(/Rule.*?\)|The rule at \S+/, 'R')])).toEqual([
      [true, 'R allows `git log`.'],
      [true, 'R denies `rm x`.'],
      [true, '`make` asks: no rule matches.'],
    ]);
  });

  test('only commands that are not allowed anyway need a grant; an unclear text can have none [P6]', async () => {
    const policy = await policyOf(source(text));
    const asking = async (line: string) =>
      policy.asking(await calling(line))?.map(({ words }) => words.map((word) => word.text).join(' '));
    expect(await asking('git log && make all')).toEqual(['make all']);
    expect(await asking('echo "a')).toBeUndefined();
    expect(await asking('echo a\u202e')).toBeUndefined();
    expect(policy.asking({ ...(await calling('make')), tool: 'read_file' })).toBeNull();
  });

  test('a check costs the same with ten rules and with a thousand [P2]', async () => {
    const many = Array.from({ length: 1_000 }, (_, index) => rule('allow', `commandPrefix = "tool${index}"`));
    const few = await policyOf(source(text));
    const full = await policyOf(source(text + many.join('')));
    const subject = await calling('git log --oneline | npm test');
    const timed = (policy: typeof few) => {
      const elapsedMs = stopwatch();
      for (let round = 0; round < 2_000; round += 1) policy.judge(subject);
      return elapsedMs();
    };
    timed(few);
    timed(full);
    // Far from equal on a busy machine, and nowhere near the hundredfold that looking at all would cost.
    expect(Math.min(timed(full), timed(full), timed(full))).toBeLessThan(
      5 * Math.max(timed(few), timed(few)) + 5,
    );
  });
});

/** What people and models run all day to look around. */
const EVERYDAY = `
ls|ls -la|ls -la src/|ls *.ts|pwd|whoami|date|date +%F|uname -a|hostname|id|nproc|uptime|which node|type ls|command -v git
cat package.json|cat -n src/index.ts|cat a.txt b.txt|head -20 README.md|head -n 5 a.txt|tail -50 log.txt|tail -n +10 a.txt
wc -l src/*.ts|wc -l < a.txt|sort a.txt|sort -u a.txt \\| head|sort -k2 -n data.csv|uniq -c sorted.txt|cut -d: -f1 data.txt
grep -rn "TODO" src|grep -c foo a.txt|grep -E 'a\\|b' x.txt|rg 'function \\w+' src|rg -l foo|egrep foo a.txt
find . -name '*.ts'|find . -type f -size +1M|find src -maxdepth 2 -type d|fd index|tree -L 2|tree
diff a.txt b.txt|diff -u a b|cmp a b|comm -12 a b|stat a.txt|file a.bin|du -sh .|du -sh * \\| sort -h|df -h
git status|git status --short|git log|git log --oneline -5|git log -p -1|git diff|git diff --stat|git diff HEAD~1 -- src|git show HEAD
git show HEAD:README.md|git blame a.ts|git branch|git branch -a|git branch --show-current|git remote -v|git tag|git stash list
git ls-files|git rev-parse HEAD|git rev-parse --abbrev-ref HEAD|git describe --tags|git shortlog -sn|git config --get user.name|git grep foo
git --no-pager log -3|git log --format='%h %s'|git worktree list|git merge-base main HEAD|git rev-list --count HEAD
echo hello|echo "a b" \\| tr a-z A-Z|printf '%s\\n' a|seq 1 10|basename src/a.ts|dirname src/a.ts|realpath .|readlink link
sed -n '1,20p' a.ts|sed 's/a/b/' a.txt|awk '{print $1}' a.txt|awk -F: '{print $2}' a \\| sort|jq .name package.json|jq -r '.scripts\\|keys[]' package.json
node --version|npm --version|node -v|python3 --version|go version|npm ls --depth=0|npm ls|cargo tree|pip list
md5sum a|sha256sum a.txt|od -c a \\| head|hexdump -C a|strings a.bin \\| head|env \\| sort|printenv PATH|sleep 1
tree src|tree -a -I node_modules -L 3|file a.bin b.bin|date '+%H:%M'|date -d yesterday +%F|ps aux \\| grep node|ps -ef|free -h|lscpu|groups|zcat a.gz \\| head
git branch --list 'a*'|git branch --contains HEAD|git branch --merged main|git tag --list 'v*'|git tag -l|git reflog|git reflog show -5|git show-ref|git name-rev HEAD
git cherry main|git for-each-ref refs/heads|git count-objects -v|git config --list --show-origin|git remote get-url origin|git diff-tree --name-only HEAD
npm explain lodash|npm config get registry|npm pkg get name|npm prefix|npm run|go env|go doc fmt.Println|pip freeze|pip3 list|docker ps -a|docker images|tar tzf a.tgz|unzip -l a.zip
ls && pwd|cd src && ls|ls; git status|cat a.txt \\| grep x \\| wc -l|test -f a && echo yes|[ -d src ] && ls src
ls 2>/dev/null|grep foo a 2>&1 \\| head|for f in *.ts; do wc -l "$f"; done|if [ -f a ]; then cat a; fi|timeout 5 ls|xargs -n1 echo < list
`
  .split('\n')
  .filter((line) => line !== '')
  .flatMap((line) => line.split(/(?<!\\)\|/))
  .map((line) => line.replaceAll('\\|', '|'));

/** The same programs, made to do more than look. */
const NOT_JUST_LOOKING = [
  'ls > a',
  'cat a >> b',
  'echo x | tee a',
  'find . -delete',
  "find . -exec rm {} ';'",
  'find . -name x -fprint out',
  'sort -o a a',
  'sort --compress-program=sh a',
  'uniq a b',
  'sed -i s/a/b/ a',
  "sed 'w out' a",
  "sed '1e id' a",
  `awk 'BEGIN{system("id")}'`,
  `awk '{print > "out"}' a`,
  'git -c core.pager=sh log',
  'git diff --ext-diff',
  'git log --output=x',
  'git grep -Ovi x',
  'git branch new',
  'git branch -D old',
  'git tag v1',
  'git remote add x y',
  'git config user.name x',
  'git stash',
  'git checkout .',
  'GIT_PAGER=sh git log',
  'PATH=. ls',
  'rg --pre sh x',
  'fd -x rm',
  'ls $(rm x)',
  'cat <(rm x)',
  'cat a; rm b',
  'env rm x',
  'xargs rm < list',
  'bash a.sh',
  '$CMD',
  './ls',
  'ls\rrm x',
  'tree -o out',
  'tree -L 2 -Ro out',
  'date -s 2020-01-01',
  'date 010203042026',
  'date -f secrets.txt',
  'file -C -m x',
  'file -zb x',
  'file -f secrets.txt',
  'git reflog expire --all',
  'git branch --listed',
  'git tag -d v1',
  'git config --list --file=x',
  'git remote set-url origin x',
  'npm config set x y',
  'npm pkg set x=y',
  'npm run build',
  'go env -w GOFLAGS=x',
  'docker run x',
  'docker rm x',
  'tar tzf a.tgz --to-command=sh',
  'tar -tIf sh a',
  'tar xzf a.tgz',
  'unzip a.zip',
  'ulimit -n 1',
  'hostname new',
  'npm test',
  'npm install',
  'node a.js',
  'make',
  'curl http://a.example',
];

describe('under the rules that ship', () => {
  test('everyday commands that only look are asked about at most 5 times in a hundred [P4]', async () => {
    const judged = await decisions(EVERYDAY, DEFAULT_POLICY_SOURCE);
    const asked = EVERYDAY.filter((line) => judged[line] !== 'allow');
    console.log(`${EVERYDAY.length} everyday commands, asked about: ${asked.join(' · ') || 'none'}`);
    expect(EVERYDAY.length).toBeGreaterThanOrEqual(100);
    expect(asked.length).toBeLessThanOrEqual(EVERYDAY.length * 0.05);
  });

  test('what makes the same programs do more than look is asked about, each time [P4]', async () => {
    const judged = await decisions(NOT_JUST_LOOKING, DEFAULT_POLICY_SOURCE);
    expect(NOT_JUST_LOOKING.filter((line) => judged[line] === 'allow')).toEqual([]);
  });
});

test('what the shipped rules let pass is known to look only, so that its paths are looked at too [P5]', async () => {
  const { effectsOf } = await import('@countersign/commands');
  const unknown = [];
  for (const line of EVERYDAY) {
    const effects = effectsOf(await analyzeLine(line));
    if (effects.type === 'unknown') unknown.push(`${line}: ${effects.why}`);
  }
  expect(unknown).toEqual([]);
});
