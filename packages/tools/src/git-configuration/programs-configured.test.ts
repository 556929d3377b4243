import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as engine from '@countersign/engine';
import { type TemporaryWorkspace, temporaryWorkspace } from '@countersign/host/testing';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { shippedJudge } from '../testing/shipped-verdict.js';

const shipped = shippedJudge(engine);

let place: TemporaryWorkspace;
beforeEach(() => {
  place = temporaryWorkspace();
  git('init', '-q');
  place.put('a.txt', 'a\n');
  git('add', 'a.txt');
  git('-c', 'user.name=a', '-c', 'user.email=b', 'commit', '-qm', 'first');
  place.put('evil.sh', `#!/bin/sh\ntouch ${place.outside}/ran\ncat\n`);
  chmodSync(join(place.workspace, 'evil.sh'), 0o755);
});
afterEach(() => place.remove());

const git = (...args: string[]) => gitIn(place.workspace, ...args);
const gitIn = (directory: string, ...args: string[]) =>
  execFileSync('git', ['-C', directory, ...args], { encoding: 'utf8', stdio: 'pipe' });
const verdictOn = (command: string) => shipped.onCommand(place.workspace, command);
const decisionOn = async (command: string) => (await verdictOn(command)).decision;
const ran = () => existsSync(join(place.outside, 'ran'));
const config = (text: string) => writeFileSync(join(place.workspace, '.git/config'), text, { flag: 'a' });

describe('a program that the configuration of the repository names', () => {
  test('really runs on `git status`, which is asked about, with the key named [P4]', async () => {
    git('config', 'core.fsmonitor', './evil.sh');
    const { decision, reason } = await verdictOn('git status');
    expect([decision, reason]).toEqual(['ask_user', expect.stringContaining('"core.fsmonitor"')]);
    expect(reason).toContain('.git/config');
    expect(ran()).toBe(false);
    git('status');
    expect(ran()).toBe(true);
  });

  test('really runs on `git diff`, which is asked about [P4]', async () => {
    git('config', 'filter.x.clean', './evil.sh');
    place.put('.gitattributes', '*.txt filter=x\n');
    place.put('a.txt', 'b\n');
    expect(await decisionOn('git diff')).toBe('ask_user');
    git('diff');
    expect(ran()).toBe(true);
  });

  test('really runs as a hook of commands that only look, which are asked about [P4]', async () => {
    writeFileSync(
      join(place.workspace, '.git/hooks/post-index-change'),
      `#!/bin/sh\ntouch ${place.outside}/ran\n`,
    );
    expect(await decisionOn('git status')).toBe('allow');
    chmodSync(join(place.workspace, '.git/hooks/post-index-change'), 0o755);
    expect(await decisionOn('git status')).toBe('ask_user');
    place.put('a.txt', 'a\n');
    git('status');
    expect(ran()).toBe(true);
  });

  test.each([
    ['core.fsmonitor', './evil.sh'],
    ['core.fsmonitor', 'true; ./evil.sh'],
    ['core.pager', './evil.sh'],
    ['core.editor', './evil.sh'],
    ['core.sshCommand', './evil.sh'],
    ['core.gitProxy', './evil.sh'],
    ['core.askPass', './evil.sh'],
    ['core.alternateRefsCommand', './evil.sh'],
    ['core.hooksPath', './no-such-hooks'],
    ['core.hooksPath', '/tmp'],
    ['core.worktree', '/etc'],
    ['core.attributesFile', '/etc/attributes'],
    ['core.excludesFile', '~/ignore'],
    ['diff.external', './evil.sh'],
    ['diff.x.command', './evil.sh'],
    ['diff.x.textconv', './evil.sh'],
    ['filter.x.process', './evil.sh'],
    ['filter.lfs.clean', 'git-lfs clean -- %f; ./evil.sh'],
    ['merge.x.driver', './evil.sh'],
    ['sequence.editor', './evil.sh'],
    ['interactive.diffFilter', './evil.sh'],
    ['trailer.x.command', './evil.sh'],
    ['trailer.x.cmd', './evil.sh'],
    ['gpg.program', './evil.sh'],
    ['gpg.ssh.defaultKeyCommand', './evil.sh'],
    ['credential.helper', '!./evil.sh'],
    ['credential.https://x.helper', '/tmp/evil'],
    ['credential.helper', 'cache; ./evil.sh'],
    ['remote.origin.url', 'ext::./evil.sh'],
    ['remote.origin.vcs', 'evil'],
    ['remote.origin.uploadpack', './evil.sh'],
    ['remote.origin.proxy', 'http://host.example'],
    ['http.proxy', 'http://host.example'],
    ['url.ext::./evil.sh .insteadOf', 'x:'],
    ['branch.main.remote', 'ext::./evil.sh'],
    ['protocol.ext.allow', 'always'],
    ['uploadpack.packObjectsHook', './evil.sh'],
    ['submodule.x.update', '!./evil.sh'],
    ['alias.status', '!./evil.sh'],
    ['pager.status', './evil.sh'],
    ['mergetool.x.cmd', './evil.sh'],
    ['init.templateDir', './evil'],
    ['gc.recentObjectsHook', './evil.sh'],
    ['lfs.customtransfer.x.path', './evil.sh'],
    ['lfs.extension.x.clean', './evil.sh'],
    ['tar.x.command', './evil.sh'],
    ['browser.x.cmd', './evil.sh'],
    ['something.unheard', 'of'],
  ])('is asked about: %s = %s [P4]', async (key, value) => {
    git('config', key, value);
    const { decision, reason } = await verdictOn('git status');
    expect([decision, reason.toLowerCase()]).toEqual([
      'ask_user',
      expect.stringContaining(key.toLowerCase()),
    ]);
  });

  test('counts wherever the configuration comes from [P4]', async () => {
    writeFileSync(join(place.outside, 'included'), '[core]\n\tfsmonitor = ./evil.sh\n');
    for (const text of [
      `[include]\n\tpath = ${place.outside}/included\n`,
      '[include]\n\tpath = ../../outside/included\n',
      `[includeIf "gitdir:/**"]\n\tpath = ${place.outside}/included\n`,
      `[includeIf "onbranch:never"]\n\tpath = "${place.outside}/incl\\
uded"\n`,
    ]) {
      config(text);
      expect([text, await decisionOn('git log')]).toEqual([text, 'ask_user']);
      git(
        'config',
        '--local',
        '--remove-section',
        text.includes('includeIf "g')
          ? 'includeIf.gitdir:/**'
          : text.includes('onbranch')
            ? 'includeIf.onbranch:never'
            : 'include',
      );
      expect(await decisionOn('git log')).toBe('allow');
    }
  });

  test('is looked for in files that include each other without end [P4]', async () => {
    config(`${'[include]\n\tpath = config\n\tpath = ../.git/more\n'.repeat(20)}`);
    writeFileSync(
      join(place.workspace, '.git/more'),
      '[include]\n\tpath = config\n\tpath = more\n'.repeat(20),
    );
    const beganMs = performance.now();
    expect(await decisionOn('git log')).toBe('allow');
    writeFileSync(join(place.workspace, '.git/more'), '[include]\n\tpath = config\n[diff]\n\texternal = x\n');
    expect(await decisionOn('git log')).toBe('ask_user');
    expect(performance.now() - beganMs).toBeLessThan(5_000);
  });

  test('counts in a linked work tree, by its own configuration and by the shared one [P4]', async () => {
    git('worktree', 'add', '-q', 'tree');
    expect(await decisionOn('cd tree && git status')).toBe('allow');
    git('config', 'extensions.worktreeConfig', 'true');
    gitIn(join(place.workspace, 'tree'), 'config', '--worktree', 'core.fsmonitor', './evil.sh');
    expect(await decisionOn('cd tree && git status')).toBe('ask_user');
    expect(await decisionOn('git status')).toBe('allow');
    gitIn(join(place.workspace, 'tree'), 'config', '--worktree', '--unset', 'core.fsmonitor');
    expect(await decisionOn('cd tree && git status')).toBe('allow');
    git('config', 'diff.external', './evil.sh');
    expect(await decisionOn('cd tree && git status')).toBe('ask_user');
  });

  test.each([2, 4])('counts in a submodule, by an index of version %i [P4]', async (version) => {
    mkdirSync(join(place.workspace, 'deep/sub'), { recursive: true });
    const sub = join(place.workspace, 'deep/sub');
    gitIn(sub, 'init', '-q');
    gitIn(sub, '-c', 'user.name=a', '-c', 'user.email=b', 'commit', '-qm', 'x', '--allow-empty');
    git('add', 'deep/sub', 'evil.sh');
    git('update-index', '--index-version', String(version));
    expect(await decisionOn('git status')).toBe('allow');
    gitIn(sub, 'config', 'core.fsmonitor', `${place.workspace}/evil.sh`);
    expect(await decisionOn('git status')).toBe('ask_user');
    git('status');
    expect(ran()).toBe(true);
  });

  test('counts in a repository that lies in the tree as ordinary files [P4]', async () => {
    execFileSync('git', ['init', '-q', '--bare', join(place.workspace, 'bare')]);
    expect(await decisionOn('cd bare && git log')).toBe('allow');
    gitIn(join(place.workspace, 'bare'), 'config', 'core.pager', './evil.sh');
    expect(await decisionOn('cd bare && git log')).toBe('ask_user');
    expect(await decisionOn('git log')).toBe('allow');
  });

  test('counts in a repository above the workspace [P4]', async () => {
    git('config', 'core.fsmonitor', './evil.sh');
    mkdirSync(join(place.workspace, 'packages/a'), { recursive: true });
    const verdict = await shipped.onCommand(join(place.workspace, 'packages/a'), 'git status');
    expect(verdict).toMatchObject({
      decision: 'ask_user',
      reason: expect.stringContaining('core.fsmonitor'),
    });
  });

  test('counts through links and through a `.git` that is a file [P4]', async () => {
    git('config', 'core.fsmonitor', './evil.sh');
    mkdirSync(join(place.workspace, 'other'));
    writeFileSync(join(place.workspace, 'other/.git'), 'gitdir: ../.git\n');
    symlinkSync('other', join(place.workspace, 'linked'));
    expect(await decisionOn('cd linked && git status')).toBe('ask_user');
  });

  test('is found again when the configuration changes [P4]', async () => {
    expect(await decisionOn('git status')).toBe('allow');
    git('config', 'core.fsmonitor', './evil.sh');
    expect(await decisionOn('git status')).toBe('ask_user');
    git('config', '--unset', 'core.fsmonitor');
    expect(await decisionOn('git status')).toBe('allow');
  });

  test('a file that cannot be read as git reads it is asked about [P4]', async () => {
    for (const text of [
      '[core\n',
      '[core]\n\tx = "y\n',
      'x = y\n[',
      '[core]\n= 1\n',
      '[core]\n\ta = \\q\n',
    ]) {
      writeFileSync(join(place.workspace, '.git/config'), text);
      expect([text, await decisionOn('git log')]).toEqual([text, 'ask_user']);
    }
    writeFileSync(join(place.workspace, '.git/config'), '');
    expect(await decisionOn('git log')).toBe('allow');
    writeFileSync(join(place.workspace, '.git/commondir'), Buffer.from([0xff]));
    expect(await decisionOn('git log')).toBe('ask_user');
    execFileSync('rm', [join(place.workspace, '.git/commondir')]);
    const bytes = Buffer.from('[include]\n\tpath = \xff\n', 'latin1');
    writeFileSync(join(place.workspace, '.git/config'), bytes);
    writeFileSync(
      Buffer.concat([Buffer.from(`${place.workspace}/.git/`), Buffer.from([0xff])]),
      '[core]\nfsmonitor = ./evil.sh\n',
    );
    expect(await decisionOn('git log')).toBe('ask_user');
    execFileSync('rm', [join(place.workspace, '.git/config')]);
    mkdirSync(join(place.workspace, '.git/config'));
    expect(await decisionOn('git log')).toBe('ask_user');
  });
});

describe('an everyday repository is not asked about', () => {
  test('with what git, hosts, editors and installers write [P4]', async () => {
    config(`[core]
	hooksPath = .husky/_
	autocrlf = input
	fsmonitor = false
	sparseCheckout = true ; a comment
[remote "origin"]
	url = git@github.com:someone/something.git
	fetch = +refs/heads/*:refs/remotes/origin/*
	gh-resolved = base
	promisor = true
[branch "main"]
	remote = origin
	merge = refs/heads/main
	vscode-merge-base = origin/main
	github-pr-owner-number = "a#b#1"
[user]
	name = "A # B"
	email = a@b.example
	signingkey = ABC
[commit]
	gpgsign = true
[pull]
	rebase = true
[push]
	default = simple
	autoSetupRemote
[submodule]
	active = .
[submodule "lib"]
	url = https://github.com/a/b.git
	active = true
[lfs]
	repositoryformatversion = 0
[lfs "https://host.example/info/lfs"]
	access = basic
[filter "lfs"]
	clean = git-lfs clean -- %f
	smudge = git-lfs smudge -- %f
	process = git-lfs filter-process
	required = true
[credential]
	helper = store
	helper =
[http "https://github.com/"]
	extraheader = AUTHORIZATION: basic abc
[alias]
	st = status
	evil = !./evil.sh
[init]
	defaultBranch = main
[diff "x"]
	xfuncname = "^a"
[color "diff"]
	meta = yellow
[gc]
	auto = 0
[merge]
	conflictStyle = zdiff3
[rerere]
	enabled = true
[blame]
	ignoreRevsFile = .git-blame-ignore-revs
[pager]
	log = false
`);
    expect(git('status')).toContain('On branch');
    for (const command of [
      'git status',
      'git diff',
      'git log -3',
      'git branch',
      'git --version',
      'go list ./...',
    ])
      expect([command, (await verdictOn(command)).reason]).toEqual([
        command,
        expect.stringMatching(/ allows /),
      ]);
  });

  test('with a submodule as git sets it up [P4]', async () => {
    const lib = join(place.outside, 'lib');
    execFileSync('git', ['init', '-q', lib]);
    gitIn(lib, '-c', 'user.name=a', '-c', 'user.email=b', 'commit', '-qm', 'x', '--allow-empty');
    git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', lib, 'lib');
    expect(await decisionOn('git status')).toBe('allow');
    expect(await decisionOn('cd lib && git log')).toBe('allow');
    gitIn(join(place.workspace, 'lib'), 'config', 'core.fsmonitor', './evil.sh');
    expect(await decisionOn('git status')).toBe('ask_user');
  });

  test('that is none [P4]', async () => {
    execFileSync('rm', ['-r', join(place.workspace, '.git')]);
    expect(await decisionOn('git status')).toBe('allow');
  });
});
