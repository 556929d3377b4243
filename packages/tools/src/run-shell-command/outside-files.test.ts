import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
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
  place.put('README.md', 'TODO\n');
  place.put('src/a.ts', 'a\n');
  place.put('src/b.ts', 'b\n');
  place.put('data.json', '{}\n');
  place.put('names', 'a\n');
});
afterEach(() => place.remove());

const verdictOn = (command: string) => shipped.onCommand(place.workspace, command);
const decisionOn = async (command: string) => (await verdictOn(command)).decision;
const OUT = () => join(place.outside, 'secret');

describe('a file outside the workspace is asked about', () => {
  test.each([
    ['sed', () => `sed '1r ${OUT()}' README.md`],
    ['sed, by several scripts', () => `sed -e p -e '$R ${OUT()}' README.md`],
    ['sed, in braces', () => `sed '/a/{r ${OUT()}\n}' README.md`],
    ['sed, upwards', () => `sed 'r ../outside/secret' README.md`],
    ['awk', () => `awk 'BEGIN { while ((getline line < "${OUT()}") > 0) print line }'`],
    ['awk, a computed name', () => `awk 'BEGIN { f = "/et" "c/passwd"; getline line < f; print line }'`],
    ['awk, a joined name', () => `awk 'BEGIN { getline line < "/et" "c/passwd"; print line }'`],
    ['awk, an escape in the name', () => `awk 'BEGIN { getline line < "\\057etc/passwd"; print line }'`],
    ['awk, its list of arguments', () => `awk 'BEGIN { ARGV[1] = "${OUT()}"; ARGC = 2 } { print }'`],
    ['gawk, by the table of symbols', () => `awk 'BEGIN { SYMTAB["x"] = 1 } { print }' README.md`],
    ['sort', () => 'sort --files0-from=names'],
    ['sort, abbreviated', () => 'sort --files0=names'],
    ['wc', () => 'wc --files0-from names'],
    ['du', () => 'du --files0-from=names'],
    ['find', () => 'find -files0-from names'],
    ['xargs', () => `xargs -a ${OUT()} echo`],
    ['xargs, attached', () => `xargs -a${OUT()}`],
    ['xargs, long', () => `xargs --arg-file=${OUT()} printf %s`],
    ['jq, a module', () => `jq -n 'import "${place.outside}/x" as $x; $x'`],
    ['jq, a program in a file', () => 'jq -f names data.json'],
    ['jq, a file as a value', () => `jq --rawfile a ${OUT()} '$a' data.json`],
    ['grep, in a cluster', () => `grep -nf${OUT()} README.md`],
    ['a file that is not there yet', () => `sleep 2; cat ${place.outside}/later`],
    ['a file at home that is not there yet', () => 'sleep 2; cat ~/countersign-later'],
    ['a missing one by redirection', () => `cat < ${place.outside}/later`],
    ['a missing one upwards', () => 'head ../later'],
    ['a missing directory', () => `ls ${place.outside}/no/such/directory`],
    ['a missing one as the value of an option', () => `grep --file=${place.outside}/later README.md`],
    ['a missing one given to sed', () => `sed -n 1p ${place.outside}/later`],
    ['a missing one given to grep', () => `grep -r x ${place.outside}/later`],
    ['a missing one after a change of directory', () => 'cd src && cat ../../later'],
    ['two outside files compared by git', () => `git diff --no-index README.md ${place.outside}/later`],
    ['a missing one after a flag', () => `column -t ${place.outside}/later`],
    ['a missing one after a long flag', () => `diff --unified ${place.outside}/later README.md`],
    ['a missing one after another', () => `du --time ${place.outside}/later`],
    ['when a file was changed', () => `date -r ${OUT()}`],
    ['xargs, a name that is not known', () => 'X=/etc/passwd; xargs -a "$X" echo'],
    ['date, a name that is not known', () => 'X=/etc/passwd; date -r "$X"'],
    ['names, by echo', () => `echo ${place.outside}/*`],
    ['names, by printf', () => "printf '%s\\n' ~/*"],
  ])('%s [P5]', async (_, command) => {
    expect([command(), await decisionOn(command())]).toEqual([command(), 'ask_user']);
  });

  test('that a link leads to, when the link is matched by a pattern [P5]', async () => {
    symlinkSync(OUT(), join(place.workspace, 'link.md'));
    mkdirSync(join(place.workspace, 'sub'));
    symlinkSync(place.outside, join(place.workspace, 'sub/dir'));
    for (const command of [
      'cat *',
      'cat *.md',
      'head l*k.md',
      'wc -l [l]ink.md',
      'cat sub/*/secret',
      'cat sub/?ir/secret',
      'grep -R CANARY .',
      'grep -flink.md README.md',
      'sort --files0-from=link.md',
      'diff -r sub src',
      'rg -L CANARY',
      'grep --dereference-recursive CANARY sub',
      'find -L . -name secret',
      'find . -follow -name secret',
      'find -L -name secret',
      'tree -l',
      'du -aL sub',
      'ls -RL sub',
      'rg --files --follow',
    ])
      expect([command, await decisionOn(command)]).toEqual([command, 'ask_user']);
    expect(await decisionOn('cat README.m*')).toBe('allow');
    expect(await decisionOn('cat src/*')).toBe('allow');
    expect(await decisionOn('grep -rn TODO .')).toBe('allow');
  });

  test('that a link into /proc leads to [P5]', async () => {
    symlinkSync('/proc/self/environ', join(place.workspace, 'env'));
    symlinkSync('/proc', join(place.workspace, 'processes'));
    for (const command of ['cat env', 'cat e*', 'strings processes/self/environ', 'head processes/*/environ'])
      expect([command, await decisionOn(command)]).toEqual([command, 'ask_user']);
  });

  test('that would be made in a directory that is missing, whatever the mode [P5]', async () => {
    for (const command of [
      `touch ${place.outside}/no/such/file`,
      `echo x > ${place.outside}/no/such/file`,
      'mkdir -p ~/no/such/directory/of/ours',
      'echo x > /countersign-made',
      `sed 'w ${place.outside}/no/such/file' README.md`,
    ]) {
      const args = { command };
      const { decision } = await shipped.onCall(place.workspace, {
        tool: 'run_shell_command',
        args,
        mode: 'yolo',
      });
      expect([command, decision]).toEqual([command, 'ask_user']);
    }
  });
});

describe('a protected file is asked about', () => {
  test.each([
    'cat .e*',
    'cat .en[v]',
    'cat .???',
    'cat .[a-z]*',
    'head -n 1 ./.e*',
    'cat *.pem',
    'cat id_*',
    'cat *.[pP][eE][mM]',
    'shopt -s dotglob; cat *',
    'shopt -s nocaseglob; cat .E*',
    'grep -r KEY .',
    'grep -rn KEY',
    'grep --recursive KEY .',
    'grep -d recurse KEY .',
    'egrep -R KEY .',
    'rg --hidden KEY',
    'rg -uu KEY .',
    'diff -r . src',
    "sed 'r .env' README.md",
    'awk \'BEGIN { getline x < ".env"; print x }\'',
    'git grep --no-index KEY',
    'git grep --untracked KEY',
    'git diff --no-index . src',
    "rg -g '.env*' KEY",
    "rg --glob '.e*' KEY",
    "rg --glob='*' KEY",
    "rg --iglob '.ENV' KEY",
    "rg -g '*.env' KEY",
    "rg --type-add 'x:.env' -t x KEY",
    'strings @names',
    'nm @names',
    'md5sum -c names',
    'sha256sum --check names',
    'sha1sum --che names',
  ])('by %s [P5]', async (command) => {
    place.put('.env', 'KEY=CANARY\n');
    expect(await decisionOn(command)).toBe('ask_user');
  });

  test('that a pattern could match by the time it runs [P5]', async () => {
    for (const command of ['sleep 1; cat .e*', 'cat .env?*', 'cat server.k?y'])
      expect([command, await decisionOn(command)]).toEqual([command, 'ask_user']);
  });
});

describe('everyday work is not asked about', () => {
  test.each([
    'cat *.md',
    'ls *',
    'ls -la',
    'wc -l src/*.ts',
    'cat src/[ab].ts',
    'head -n 3 */*.ts',
    'grep -r foo src',
    'grep -rn TODO .',
    'grep -rn "/api/v1" src',
    "grep -e '~/x' README.md",
    "grep '\\.\\./later' src/a.ts",
    'rg TODO',
    "rg -n '/usr/none/such' src",
    "rg -g '/src/**' TODO",
    "sed 's/a/b/; 1r names' README.md",
    "sed -n '/start/,/end/p' README.md",
    "sed '/api/d' README.md",
    "awk '/api/ { print $1 }' README.md",
    'awk \'BEGIN { while ((getline line < "names") > 0) print line }\'',
    "awk -F/ '{ print $NF }' README.md",
    "awk '{ getline; print }' README.md",
    "jq -r '.a' data.json",
    "jq --arg p /api/v1 '.[$p]' data.json",
    'cat missing.txt',
    'cat src/missing/*.ts',
    'ls missing',
    "find . -path '/none/*' -name '*.ts'",
    'find src -newer README.md',
    'git log --oneline -5',
    'git log --grep=/api/v1',
    'git log -S /api/v1',
    'git diff -- src',
    'git grep -n /api/v1',
    'diff src/a.ts src/b.ts',
    'diff -r src src',
    'cut -d/ -f1 names',
    "cut -d '/' -f 1 names",
    'tr / _ < names',
    'sort -t/ -k2 names',
    'echo *.md',
    'echo "a/b" *',
    'cd src && cat a.ts && wc -l *.ts',
    'ls src/**/*.ts',
    'stat -c %s README.md',
    'xargs -a names echo',
    'cat <<< /etc/none',
    'cat "a*b"',
    'date -d "2020-01-01" +%s',
    'printf "%s\\n" /none/such',
  ])('%s [P5] [P4]', async (command) => {
    const { decision, reason } = await verdictOn(command);
    expect([decision, decision === 'allow' ? '' : reason]).toEqual(['allow', '']);
  });

  test('in a repository with settings that are protected from writing, and dependencies [P5]', async () => {
    place.put('.git/config', '[core]\n\tbare = false\n');
    place.put('.vscode/settings.json', '{}');
    place.put('.npmrc', 'ignore-scripts=true\n');
    place.put('.env.example', 'KEY=\n');
    place.put('services/.env/lib/site.py', 'TODO\n');
    place.put('node_modules/x/test/key.pem', 'fixture\n');
    for (const command of ['grep -rn TODO .', 'rg TODO', 'grep -R TODO src', 'diff -r src src'])
      expect([command, await decisionOn(command)]).toEqual([command, 'allow']);
  });

  test('in a tree without secrets beside one that has some [P5]', async () => {
    place.put('.env', 'KEY=CANARY\n');
    place.put('deploy/server.key', 'CANARY\n');
    for (const command of [
      'grep -rn TODO src',
      'rg TODO src',
      "rg -g '*.ts' TODO src",
      'md5sum names',
      'cat *',
      'ls -a',
      'find . -name "*.ts"',
    ])
      expect([command, await decisionOn(command)]).toEqual([command, 'allow']);
  });
});
