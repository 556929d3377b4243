import * as engine from '@countersign/engine';
import { type TemporaryWorkspace, temporaryWorkspace } from '@countersign/host/testing';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { shippedJudge } from '../testing/shipped-verdict.js';

const shipped = shippedJudge(engine);

let place: TemporaryWorkspace;
beforeEach(() => {
  place = temporaryWorkspace();
  place.put('a', 'a\n');
  place.put('AGENTS.md', 'a\n');
  place.put('package.json', '{}\n');
  place.put('evil/package.json', '{}\n');
  place.put('.husky/pre-commit', 'true\n');
  place.put('.github/workflows/ci.yml', 'on: push\n');
  place.put('.env', 'A=1\n');
});
afterEach(() => place.remove());

const verdictOn = (command: string) =>
  shipped.onCall(place.workspace, { tool: 'run_shell_command', args: { command }, mode: 'yolo' });

test.each([
  'sort -o .envrc a',
  'sort -o.envrc a',
  'sort --output=.envrc a',
  'uniq a .envrc',
  'split a .envrc',
  'curl -o AGENTS.md http://host.example/x',
  'curl -oAGENTS.md http://host.example/x',
  'wget -O AGENTS.md http://host.example/x',
  'openssl rand -out .envrc 5',
  'iconv -o .envrc a',
  'script -q -c ls .envrc',
  'git archive -o AGENTS.md HEAD',
  'git archive -oAGENTS.md HEAD',
  'git diff --output=.envrc',
  'git diff --output .envrc',
  'git bundle create .envrc HEAD',
  'git clone . .husky/y',
  'find . -name .envrc -delete',
  'find . -fprint .envrc',
  'git config core.fsmonitor ./evil',
  'git config --add alias.x y',
  'git config --global alias.x y',
  'echo "{}" > package.json',
  'echo "{}" | tee package.json',
  'cp evil/package.json package.json',
  'cp evil/package.json .',
  'mv evil/package.json .',
  'cp -t . evil/package.json',
  'cat a > composer.json',
])('"%s" may write what is protected, and asks in yolo too [P5]', async (command) => {
  expect((await verdictOn(command)).decision).toBe('ask_user');
});

test.each([
  'cat AGENTS.md',
  'wc -l AGENTS.md .github/workflows/ci.yml',
  'git add AGENTS.md .husky/pre-commit',
  'git commit -m x AGENTS.md',
  'git log -- AGENTS.md',
  'git config user.name',
  'git config --get remote.origin.url',
  'git check-ignore .envrc',
  "find . -path ./.git -prune -o -name '*.ts' -exec grep foo {} +",
  "find . -name '*.tmp' -not -path './.git/*' -delete",
  'bash .husky/pre-commit',
  'actionlint .github/workflows/ci.yml',
  'node --env-file=.env a',
  'ctags --exclude=.git -R',
  'cp package.json dist.json',
  'npm install',
  'sort -o b a',
  'curl -o out.html http://host.example/x',
])('"%s" is let pass in yolo [P5] [P4]', async (command) => {
  const { decision, reason } = await verdictOn(command);
  expect([decision, decision === 'allow' ? '' : reason]).toEqual(['allow', '']);
});
