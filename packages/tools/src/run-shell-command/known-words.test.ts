import { symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as engine from '@countersign/engine';
import { type TemporaryWorkspace, temporaryWorkspace } from '@countersign/host/testing';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { shippedJudge } from '../testing/shipped-verdict.js';

const shipped = shippedJudge(engine);

let place: TemporaryWorkspace;
beforeEach(() => {
  place = temporaryWorkspace();
  writeFileSync(join(place.outside, 'secret'), 'CANARY\n');
  for (const file of ['README.md', 'a', 'b', 'src/a.ts', 'src/b.js', 'src/deep/c.ts'])
    place.put(file, 'TODO\n');
});
afterEach(() => place.remove());

const decisionOn = async (command: string) => (await shipped.onCommand(place.workspace, command)).decision;

describe('words whose values can be read from the line ask nothing', () => {
  test.each([
    'for f in a b; do wc -l "$f"; done',
    'for f in a b; do wc -l $f; done',
    'for f in a b; do if [ -f "$f" ]; then head -n 3 "$f"; fi; done',
    'for f in *.md; do echo "== $f"; cat "$f"; done',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: shell
    'for d in src src/deep; do ls "${d}/"; done',
    'for d in src; do for f in a.ts b.js; do cat "$d/$f"; done; done',
    'for f in src/*.{ts,js}; do wc -c "$f"; done',
    'for f in $(find . -name "*.ts"); do wc -l "$f"; done',
    'for f in $(git ls-files | grep -v deep | head -20); do wc -l $f; done',
    'ls *.{ts,js}',
    'cat src/*.{ts,js} 2>/dev/null',
    'ls "$PWD"',
    'cat "$PWD/README.md"',
    'find . -name "*.ts" | xargs grep TODO',
    'find src -type f -print0 | xargs -0 wc -l',
    'find . -name "*.ts" | grep -v deep | sort | head -n 5 | xargs wc -l',
    'find . -name "*.md" -exec grep -n TODO {} +',
    'find src -type f -exec wc -l {} \\;',
    'find . -type f | xargs -I{} head -n 1 {}',
    'grep -rl TODO src | xargs wc -l',
    'rg -l TODO src | xargs sed -n 1p',
    'git ls-files | xargs wc -l',
    'wc -l $(git ls-files)',
    'diff <(sort a) <(sort b)',
    'comm -12 <(sort a) <(sort b)',
    'while read -r line; do echo "$line"; done < README.md',
    'while IFS= read -r line; do echo "$line"; done < README.md',
    "sed '$a\\' README.md",
    'cat /dev/null README.md',
    'git branch --all',
    'git branch --sort=-committerdate',
    'git tag -n',
    'git config user.name',
  ])('%s [P4, P5]', async (command) => {
    expect(await decisionOn(command)).toBe('allow');
  });
});

describe('words whose values are not known, or lie outside, still ask', () => {
  const OUT = '../outside/secret';
  test.each([
    `for f in a ${OUT}; do cat "$f"; done`,
    'for f in a ~/x; do cat "$f"; done',
    'for f in a "$X"; do cat "$f"; done',
    'for f in /etc/host*; do cat "$f"; done',
    'for f in *.md; do cat $f; done',
    `for f in "a ${OUT}"; do cat $f; done`,
    `for f in a; do f=${OUT}; cat "$f"; done`,
    `for f in a; do read f; cat "$f"; done <<< ${OUT}`,
    `for f in a; do read -af; cat "$f"; done <<< ${OUT}`,
    `for f in a; do printf -v f %s ${OUT}; cat "$f"; done`,
    `for f in a; do printf -vf %s ${OUT}; cat "$f"; done`,
    `for f in a; do pr''intf -vf %s ${OUT}; cat "$f"; done`,
    `for f in a; do declare -n g=f; g=${OUT}; cat "$f"; done`,
    `for f in a; do eval $'\\x66=${OUT}'; cat "$f"; done`,
    `for f in a; do : "\${f:=${OUT}}"; cat "$f"; done`,
    `for f in a; do cat "\${f/a/${OUT}}"; done`,
    `f=${OUT}; cat "$f"; for f in a; do :; done`,
    `for f in a; do for f in ${OUT}; do cat "$f"; done; done`,
    `for f in a; do cat "../outside/$f"; done`,
    'for f in a; do cat "/etc/$f"; done',
    'for f in -f; do grep $f ../outside/secret a; done',
    `for f in a; do ((f=1)); cat "$f"; done`,
    `for f in ''; do cat "$f/etc/passwd"; done`,
    'for f; do cat "$f"; done',
    `ls {a,${OUT}}*`,
    'cat {../outside,src}/*',
    'cat "$OLDPWD/x"',
    'PWD=/etc; cat "$PWD/passwd"',
    'cd src; cat "$PWD/../../x"',
    'cat "$PWD/../outside/secret"',
    'ls $PWD',
    'find / -name passwd | xargs cat',
    'find ~ | xargs cat',
    'find "$X" | xargs cat',
    'find . -printf "/etc/passwd\\n" | xargs cat',
    'find . -exec echo /etc/passwd \\; | xargs cat',
    'find . -files0-from a | xargs cat',
    'find .. -name secret -exec cat {} +',
    'find . | sed s,^.,/etc, | xargs cat',
    'find . | grep -o "e.*" | xargs cat',
    'echo /etc/passwd | xargs cat',
    'find . | xargs -a a cat',
    'find . | xargs cat < a',
    'find() { echo /etc/passwd; }; find . | xargs cat',
    'alias find="echo /etc/passwd #"; find . | xargs cat',
    'grep -r TODO . | xargs cat',
    'grep -rl TODO /etc | xargs cat',
    'rg -l TODO --pre ./x | xargs cat',
    'git ls-files --full-name :/ | xargs cat',
    'git ls-files .. | xargs cat',
    'wc -l $(cat a)',
    'diff <(cat ../outside/secret) a',
    'while read -r f; do cat "$f"; done < a',
    'read PATH < a; ls',
    'IFS=/ ls',
    'find . | xargs sh',
    'find . | xargs rm',
    'find . -exec rm {} +',
    'git branch --all; git branch -D main',
    'git config user.name x',
    'git tag -n x y',
    "sed '$a\\\nx\ne' README.md",
    "sed '$a\\' README.md > b",
  ])('%s [P4, P5]', async (command) => {
    expect(await decisionOn(command)).toBe('ask_user');
  });
});

describe('names that a listing hands on', () => {
  test.each([
    ['a link that leads outside', 'x.ts', 'find . -name "*.ts" | xargs cat'],
    ['a link that leads outside, by find itself', 'x.ts', 'find . -name "*.ts" -exec cat {} +'],
    ['a link that leads outside, in a loop', 'x.ts', 'for f in $(git ls-files); do cat "$f"; done'],
    ['a link that leads outside, by a pattern', 'x.ts', 'for f in *.ts; do cat "$f"; done'],
  ])('%s is asked about [P5]', async (_, name, command) => {
    symlinkSync(join(place.outside, 'secret'), join(place.workspace, name));
    expect(await decisionOn(command)).toBe('ask_user');
  });

  test('with blanks or quotes are asked about where they come apart [P5]', async () => {
    place.put('src/x ../outside/secret', '');
    expect(await decisionOn('find src | xargs cat')).toBe('ask_user');
    expect(await decisionOn('cat $(git ls-files)')).toBe('ask_user');
    expect(await decisionOn('find src -exec cat {} +')).toBe('allow');
    expect(await decisionOn('find src -name "*.ts" | xargs cat')).toBe('allow');
    place.put('src/x ../outside/y.ts', '');
    expect(await decisionOn('find src -name "*.ts" | xargs cat')).toBe('ask_user');
  });

  test('are secrets only where the pattern of names lists them [P5]', async () => {
    place.put('.env', 'KEY=1\n');
    place.put('.aws/credentials', 'KEY=1\n');
    expect(await decisionOn('find src | xargs cat')).toBe('allow');
    expect(await decisionOn('find . | xargs cat')).toBe('ask_user');
    place.remove();
    place = temporaryWorkspace();
    place.put('.env', 'KEY=1\n');
    place.put('a.ts', '');
    expect(await decisionOn('find . -name "*.ts" | xargs cat')).toBe('allow');
    expect(await decisionOn('find . -name "*.ts" -o -name ".env" | xargs cat')).toBe('ask_user');
    expect(await decisionOn('find . -name ".e*" | xargs cat')).toBe('ask_user');
    expect(await decisionOn('find . -name "*.ts" | xargs ls -l')).toBe('allow');
  });
});
