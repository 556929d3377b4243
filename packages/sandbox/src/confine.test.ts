import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { NOT_IN_TMP } from '@countersign/testkit';
import { skipBecause } from '@countersign/testkit/vitest';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { PERSONS, Place, UNAVAILABLE } from './testing/place.js';

describe.each(PERSONS)('confined as $name', (person) => {
  skipBecause(UNAVAILABLE);
  let place: Place;
  beforeEach(() => {
    place = new Place(person);
  });
  afterEach(() => place.remove());

  test('the workspace can be written, the rest of the system only read [B1]', () => {
    const ran = place.run(
      `echo in >inside; echo out >"$HOME/outside"; echo out >/usr/outside; mkdir /etc/outside; cat /etc/passwd >copy`,
    );
    expect(readFileSync(join(place.workspace, 'inside'), 'utf8')).toBe('in\n');
    expect(readFileSync(join(place.workspace, 'copy'), 'utf8')).toBe(readFileSync('/etc/passwd', 'utf8'));
    expect(ran.output.match(/Read-only file system/g)).toHaveLength(3);
    for (const path of [join(place.home, 'outside'), '/usr/outside', '/etc/outside'])
      expect(existsSync(path)).toBe(false);
  });

  test('it works in the given directory', () => {
    expect(place.run('pwd; echo "$PWD"').output).toBe(`${place.workspace}\n${place.workspace}`);
  });

  test('a folder of the workspace that it names stays writable [B1]', () => {
    const sub = join(place.workspace, 'sub');
    place.put(join(sub, 'a'), 'a');
    expect(place.run('touch sub/b && ls sub', place.profile({ named: [sub] })).output).toBe('a\nb');
  });

  test('temporary files are its own and end with it [B1]', () => {
    const mine = join(place.base, 'mine');
    place.put(mine);
    expect(place.run(`ls ${mine}; echo left >/tmp/left; cat /tmp/left`).output).toMatch(
      /No such file.*\nleft$/,
    );
    expect(place.run('cat /tmp/left').output).toMatch(/No such file/);
  });

  test('temporary files last in a place given for them, where no mount can be led astray [B1]', (context) => {
    if (NOT_IN_TMP === null) return context.skip('There is no place to write in outside /tmp.');
    const elsewhere = new Place(person, NOT_IN_TMP);
    try {
      const profile = elsewhere.profile({ scratch: elsewhere.home });
      elsewhere.run('echo left >/tmp/left', profile);
      expect(elsewhere.run('cat /tmp/left', profile).output).toBe('left');
      expect(readFileSync(join(elsewhere.home, 'left'), 'utf8')).toBe('left\n');
    } finally {
      elsewhere.remove();
    }
    // With the workspace in /tmp, whatever leads there is made again each time.
    const profile = () => place.profile({ scratch: place.home });
    const first = place.base.split('/')[2];
    place.run(`mv /tmp/${first} /tmp/gone; ln -s /oldroot${place.home} /tmp/${first}; exit 0`, profile());
    expect(place.run('echo ran', profile())).toEqual({ code: 0, output: 'ran' });
    expect(readdirSync(place.home)).toEqual([]);
  });

  test('what it names in /tmp is seen, what is hidden stays so [B1]', () => {
    const named = place.put(join(place.base, 'named'), 'seen');
    const hidden = place.put(join(place.home, '.netrc'), 'SECRET');
    const profile = place.profile({ named: [named, hidden, '/tmp', '/run'] });
    expect(
      place.run(`cat ${named} ${hidden}; touch /tmp/x /run/x; echo x >${named}`, profile).output,
    ).toMatch(/^seen.*Read-only file system$/);
  });

  test('to grant a directory that holds the workspace is not to grant what is protected in it [B1]', () => {
    const workspace = join(place.home, 'own');
    place.put(join(workspace, '.envrc'), 'old');
    place.put(join(place.home, '.netrc'), 'SECRET');
    const profile = place.profile({
      workspace,
      needs: [{ needs: 'write', path: place.home, scope: 'tree' }],
    });
    const { output } = place.run('touch ../new; echo x >.envrc; cat ../.netrc', profile);
    expect(output).toBe('bash: line 1: .envrc: Read-only file system');
    expect(existsSync(join(place.home, 'new'))).toBe(true);
  });

  test('Git works, but for its settings and hooks, which cannot be changed, renamed or removed [B1]', () => {
    const git = (args: string) => spawnSync('git', args.split(' '), place.options());
    git('init -q .');
    const config = readFileSync(join(place.workspace, '.git/config'), 'utf8');
    place.put(join(place.workspace, '.git/hooks/mine'), 'mine');
    const tries = place.run(
      [
        'echo x >.git/hooks/pre-commit',
        'echo x >>.git/config',
        'git config a.b c',
        'mv .git/hooks .git/old',
        'rm -rf .git/hooks',
        'mv .git .old',
        'mv .git/config .git/old-config',
        'ln .git/config link && echo x >link',
        'rm .git/config',
        'rm -rf .git/hooks; mkdir .git/hooks',
        'exit 0',
      ].join('\n'),
    );
    expect(tries.code).toBe(0);
    expect(readFileSync(join(place.workspace, '.git/config'), 'utf8')).toBe(config);
    expect(readFileSync(join(place.workspace, '.git/hooks/mine'), 'utf8')).toBe('mine');
    expect(existsSync(join(place.workspace, '.git/hooks/pre-commit'))).toBe(false);
    const commit = 'touch a && git add a && git -c user.name=a -c user.email=a@b commit -qm first';
    expect(place.run(`${commit} && git checkout -qb other && git log --format=%s`)).toEqual({
      code: 0,
      output: 'first',
    });
  });

  test('protected names of the workspace can be read and not written [B1] [P5]', () => {
    place.put(join(place.workspace, '.vscode/settings.json'), '{}');
    place.put(join(place.workspace, '.envrc'), 'old');
    const ran = place.run(
      'cat .envrc; echo x >.envrc; echo x >.vscode/tasks.json; mv .vscode v; rm .envrc; mkdir .idea',
    );
    expect(ran.output).toMatch(/^old/);
    expect(readFileSync(join(place.workspace, '.envrc'), 'utf8')).toBe('old');
    expect(place.inWorkspace()).toEqual(['.envrc', '.idea', '.vscode']);
    expect(existsSync(join(place.workspace, '.vscode/tasks.json'))).toBe(false);
  });

  test('secrets of the home directory are out of sight, through symlinks as well [B1]', () => {
    place.put(join(place.home, '.ssh/id_ed25519'), 'SECRET');
    place.put(join(place.home, '.netrc'), 'SECRET');
    place.put(join(place.home, 'dotfiles/npmrc'), 'SECRET');
    symlinkSync('dotfiles/npmrc', join(place.home, '.npmrc'));
    place.put(join(place.home, 'store/journal'), 'SECRET');
    place.put(join(place.home, '.gitconfig'), 'seen');
    const profile = place.profile({ ours: [join(place.home, 'store')] });
    const { output, code } = place.run(
      'cd; cat .ssh/* .netrc .npmrc dotfiles/npmrc store/* .gitconfig; echo x >.ssh/x; ls -A .ssh store; cat .npmrc',
      profile,
    );
    expect(output).not.toContain('SECRET');
    expect(output).toContain('seen');
    expect(code).toBe(0);
    expect(readFileSync(join(place.home, '.netrc'), 'utf8')).toBe('SECRET');
  });

  test('secrets of the system and what runs on it are out of sight [B1]', () => {
    expect(place.run('cat /etc/shadow').output).not.toMatch(/^root:/m);
    expect(place.run('ls -A /run /var/tmp').output).toBe('/run:\n\n/var/tmp:');
  });

  test('secrets stay hidden where the home directory is the workspace [B1]', () => {
    place.put(join(place.home, '.ssh/id_ed25519'), 'SECRET');
    const profile = place.profile({ workspace: place.home });
    const ran = place.run(`cd; cat .ssh/*; rm -rf .ssh; mv .ssh s; echo new >file`, profile);
    expect(ran.output).not.toContain('SECRET');
    expect(readFileSync(join(place.home, 'file'), 'utf8')).toBe('new\n');
    expect(readFileSync(join(place.home, '.ssh/id_ed25519'), 'utf8')).toBe('SECRET');
  });

  test('the environment of the starting process is not found in /proc [B1] [X4]', () => {
    process.env['COUNTERSIGN_CANARY'] = 'canary-of-the-host';
    try {
      const search = `cat /proc/[0-9]*/environ /proc/[0-9]*/cmdline | tr '\\0' '\\n' | grep -c canary-of-the-hos[t]`;
      expect(place.run(search).output).toBe('0');
    } finally {
      delete process.env['COUNTERSIGN_CANARY'];
    }
    expect(place.run('ls -d /proc/[0-9]*').output.split('\n').length).toBeLessThan(6);
  });

  test('neither the network nor a service of this machine is reached [B1]', async () => {
    const tcp = await listen({ host: '127.0.0.1', port: 0 });
    const { port } = addressOf(tcp);
    try {
      expect(place.run(`(exec 3<>/dev/tcp/127.0.0.1/${port}) && echo reached`).output).toMatch(
        /Connection refused/,
      );
      expect(place.run('(exec 3<>/dev/tcp/192.0.2.1/80) && echo reached').output).toMatch(
        /Network is unreachable/,
      );
      const granted = place.profile({ needs: [{ needs: 'network', host: null }] });
      expect(place.run(`(exec 3<>/dev/tcp/127.0.0.1/${port}) && echo reached`, granted).output).toBe(
        'reached',
      );
    } finally {
      tcp.close();
    }
  });

  test('no socket of this machine is reached, abstract or by its path, but the one granted [B1]', async () => {
    const inHome = join(place.home, 'agent.sock');
    const paths = [inHome, join(place.base, 'tmp.sock'), `\0${place.base}/abstract`];
    if (process.geteuid?.() === 0) paths.push(`/run/countersign-test-${process.pid}.sock`);
    const servers = await Promise.all(paths.map((path) => listen({ path })));
    place.put(join(place.workspace, 'connect.mjs'), CONNECT);
    const connect = `node connect.mjs ${paths.map((path) => JSON.stringify(path.replace('\0', '@'))).join(' ')}`;
    try {
      expect(spawnSync('bash', ['-c', connect], place.options()).stdout.toString()).toBe(
        paths.map(() => 'reached\n').join(''),
      );
      expect(place.run(connect).output).not.toContain('reached');
      const granted = place.profile({
        needs: [{ needs: 'write', path: inHome, scope: 'file' }],
      });
      expect(place.run(`node connect.mjs ${inHome}`, granted).output).toBe('reached');
    } finally {
      for (const server of servers) server.close();
    }
  });

  test('there is no way out by mounting, by namespaces within, or by settings of the kernel [B1]', () => {
    const outside = join(place.home, 'outside');
    const tries = [
      `mount -o remount,bind,rw ${place.home}; touch ${outside}`,
      `unshare -Urm bash -c 'mount -o remount,bind,rw ${place.home}; touch ${outside}'`,
      `unshare -Um bash -c 'mount -o remount,bind,rw ${place.home}; umount -l ${place.home}; touch ${outside}'`,
      `mknod disk b 254 0`,
      `s=/proc/sys/vm/swappiness; cat $s >$s && echo kernel`,
      `echo h >/proc/sysrq-trigger && echo kernel`,
      `nsenter -t 1 -a touch ${outside}`,
      `touch /proc/1/root${outside}`,
    ];
    const { output } = place.run(tries.join('\n'));
    expect(output).not.toMatch(/^kernel$/m);
    expect(existsSync(outside)).toBe(false);
    expect(existsSync(join(place.workspace, 'disk'))).toBe(false);
    expect(place.run('grep -E "CapEff|NoNewPrivs" /proc/self/status').output.replaceAll(/\s+/g, ' ')).toBe(
      'CapEff: 0000000000000000 NoNewPrivs: 1',
    );
  });

  const hasTerminal = ['script', 'perl'].every((name) => spawnSync(name, ['--version']).status === 0);
  test('nothing is typed into the terminal it was started from (needs script, perl) [B1]', (context) => {
    context.skip(!hasTerminal, 'script or perl is not installed.');
    const type = `perl -e 'ioctl(STDIN, 0x5412, my $c = "x") ? print "typed" : print "refused: $!"'`;
    const quoted = (argv: readonly string[]) =>
      argv.map((arg) => `'${arg.replaceAll("'", `'\\''`)}'`).join(' ');
    const onTerminal = (argv: readonly string[]) =>
      spawnSync('script', ['-qec', quoted(argv), '/dev/null'], {
        ...place.options(),
        timeout: 10_000,
      }).stdout.toString();
    expect(onTerminal(place.commandLine(type))).toContain('refused');
  });

  test('what was granted is opened up, and no more [B1]', () => {
    const file = place.put(join(place.home, 'notes/a'), 'a');
    place.put(join(place.home, 'notes/b'), 'b');
    place.put(join(place.home, '.ssh/config'), 'settings');
    place.put(join(place.home, '.ssh/id'), 'SECRET');
    place.put(join(place.workspace, '.vscode/settings.json'), '{}');
    place.put(join(place.workspace, '.envrc'), 'old');
    const profile = place.profile({
      needs: [
        { needs: 'write', path: file, scope: 'file' },
        { needs: 'write', path: join(place.home, 'missing'), scope: 'file' },
        { needs: 'read', path: join(place.home, '.ssh/config'), scope: 'file' },
        { needs: 'write', path: join(place.workspace, '.envrc'), scope: 'file' },
        { needs: 'write', path: place.workspace, scope: 'tree' },
      ],
    });
    const { output } = place.run(
      'cd; for f in notes/a notes/b missing "$OLDPWD/.envrc" "$OLDPWD/.vscode/x"; do echo new >"$f" && echo "wrote $f"; done; cat .ssh/*',
      profile,
    );
    expect(output.split('\n').filter((line) => line.startsWith('wrote'))).toEqual([
      'wrote notes/a',
      `wrote ${place.workspace}/.envrc`,
    ]);
    expect(output).toMatch(/settings$/);
    expect(output).not.toContain('SECRET');
  });

  test('configured directories can be written, and what is in a hidden one can be shown [B1]', () => {
    mkdirSync(join(place.home, 'cache'));
    place.put(join(place.home, 'cache/x'));
    place.put(join(place.home, 'store/1/command'), 'echo from the script');
    place.put(join(place.home, 'store/2/output'), 'SECRET');
    const profile = place.profile({
      ours: [join(place.home, 'store')],
      extraReadable: [join(place.home, 'store/1')],
      extraWritable: [join(place.home, 'cache'), join(place.home, 'missing')],
    });
    const { output } = place.run(
      'cd; echo x >cache/y && bash store/1/command; cat store/*/*; ls store',
      profile,
    );
    expect(output).toBe('from the script\necho from the script1');
    expect(existsSync(join(place.home, 'cache/y'))).toBe(true);
  });

  test('what a protected symlink leads to cannot be written, nor put aside for something else [B1]', () => {
    const target = place.put(join(place.workspace, 'envs/dev'), 'old');
    symlinkSync('envs/dev', join(place.workspace, '.envrc'));
    place.run(
      'echo new >.envrc; echo new >envs/dev; mv envs e && mkdir envs && echo new >envs/dev; echo x >envs/other',
    );
    expect(readFileSync(target, 'utf8')).toBe('old');
    expect(readFileSync(join(place.workspace, 'envs/other'), 'utf8')).toBe('x\n');
  });

  test('no symlink that a command left opens up what is hidden or protected [B1]', () => {
    place.put(join(place.home, '.ssh/config'), 'SECRET');
    place.put(join(place.home, 'own/.vscode/sub/tasks'), 'old');
    const profile = () => place.profile({ extraWritable: [join(place.workspace, 'cache')] });
    place.run(
      `ln -s "$HOME/.ssh/config" .envrc; ln -s "$HOME/.ssh" .git; ln -s "$HOME/.ssh" cache`,
      profile(),
    );
    const outside = place.run(
      'cat "$HOME/.ssh/config" .envrc .git/config cache/config; echo x >cache/x',
      profile(),
    );
    expect(outside.output).not.toContain('SECRET');
    const own = () => place.profile({ workspace: join(place.home, 'own') });
    for (const link of ['ln -s .vscode/sub .git', 'ln -s .git .envrc']) {
      place.run(link, own());
      const tried = place.run('echo new >.vscode/sub/tasks; echo new >.git/tasks; echo ran', own());
      expect(tried.output).toMatch(/ran$/);
    }
    expect(readFileSync(join(place.home, 'own/.vscode/sub/tasks'), 'utf8')).toBe('old');
  });

  test('a protected symlink that leads nowhere does not stand in the way', () => {
    for (const [name, target] of [
      ['.envrc', 'nowhere'],
      ['.vscode', '.vscode'],
      ['.git', '/nowhere'],
    ] as const)
      symlinkSync(target, join(place.workspace, name));
    expect(place.run('echo ran').output).toBe('ran');
  });

  test('a directory of secrets is not renamed away where the home directory is the workspace [B1]', () => {
    place.put(join(place.home, '.config/gh/hosts.yml'), 'SECRET');
    const profile = () => place.profile({ workspace: place.home });
    place.run('mv .config c; rm -rf .config; echo x >.config/other', profile());
    const { output } = place.run('cat */gh/* .config/gh/* .config/other', profile());
    expect(output).not.toContain('SECRET');
    expect(output).toMatch(/x$/);
  });

  test('a granted path that leads elsewhere by now is not opened up [B1] [A3]', () => {
    place.put(join(place.home, '.ssh/config'), 'old');
    symlinkSync('.ssh', join(place.home, 'notes'));
    const path = join(place.home, 'notes/config');
    const profile = place.profile({
      needs: [{ needs: 'write', path, scope: 'file' }],
    });
    expect(place.run(`echo new >${path}; echo new >"$HOME/.ssh/config"; echo ran`, profile).output).toMatch(
      /ran$/,
    );
    expect(readFileSync(join(place.home, '.ssh/config'), 'utf8')).toBe('old');
  });
});

const CONNECT = `import { connect } from 'node:net';
for (const given of process.argv.slice(2)) {
  const said = await new Promise((resolve) => {
    const socket = connect(given.replace('@', '\\0'));
    socket.once('connect', () => resolve('reached')).once('error', (error) => resolve(error.code));
  });
  console.log(said);
}
process.exit();
`;

function listen(
  where: { readonly host: string; readonly port: number } | { readonly path: string },
): Promise<Server> {
  return new Promise((resolve, reject) => {
    const server = createServer((connection) => connection.destroy());
    server.once('error', reject);
    server.listen(where, () => {
      if ('path' in where && where.path.startsWith('/')) chmodSync(where.path, 0o777);
      resolve(server);
    });
  });
}

function addressOf(server: Server): { readonly port: number } {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('it has no port');
  return address;
}
