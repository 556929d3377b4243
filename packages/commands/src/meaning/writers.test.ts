import { expect, test } from 'vitest';
import { analyzeCommand } from '../analyze-command.js';
import { pathUses } from './path-uses.js';

const accessTo = (line: string, path = 'AGENTS.md') =>
  pathUses(analyzeCommand(line)).find((use) => use.path === path)?.access;

test.each([
  'sed -i s/a/b/ AGENTS.md',
  'sed -i.bak -e s/a/b/ AGENTS.md',
  'sed -Ei s/a/b/ AGENTS.md',
  'sed -n --in-place=.old s/a/b/ AGENTS.md',
  'sed --in s/a/b/ AGENTS.md',
  'perl -pi -e s/a/b/ AGENTS.md',
  'perl -i.bak -pe s/a/b/ AGENTS.md',
  'ruby -pi -e "sub(1, 2)" AGENTS.md',
  "awk -i inplace '{print}' AGENTS.md",
  'yq -i . AGENTS.md',
  'prettier --write AGENTS.md',
  'markdownlint --fix AGENTS.md',
  'echo x | sponge AGENTS.md',
  'ed AGENTS.md',
  'git checkout -- AGENTS.md',
  'git -C . restore AGENTS.md',
  'git rm AGENTS.md',
  'env sed -i s/a/b/ AGENTS.md',
  'timeout 5 perl -pi -e s/a/b/ AGENTS.md',
])('%s writes the file that it names [P5]', (line) => {
  expect(accessTo(line)).toBe('writes');
});

test.each([
  'sed s/a/b/ AGENTS.md',
  "sed -ne 's/i/x/p' AGENTS.md",
  'perl -ne print AGENTS.md',
  "perl -e 'print' AGENTS.md",
  "awk '{print}' AGENTS.md",
  'prettier --check AGENTS.md',
  'git diff AGENTS.md',
  'git show stash -- AGENTS.md',
  'git add AGENTS.md',
  'cat AGENTS.md',
])('%s only reads it [P5]', (line) => {
  expect(accessTo(line)).toBe('reads');
});
