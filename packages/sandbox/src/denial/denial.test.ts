import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, realpathSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { join } from 'node:path';
import type { Need } from '@countersign/protocol';
import { skipBecause } from '@countersign/testkit/vitest';
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Profile } from '../profile/profile.js';
import { PERSONS, Place, UNAVAILABLE } from '../testing/place.js';
import { denialIn } from './denial.js';

const NETWORK = (host: string | null): Need => ({ needs: 'network', host });

describe.each(PERSONS)('denials as $name meets them', (person) => {
  skipBecause(UNAVAILABLE);
  let place: Place;
  beforeEach(() => {
    place = new Place(person);
  });
  afterEach(() => place.remove());

  const denied = (script: string, profile: Profile = place.profile()): Need | null => {
    const { code, output } = place.run(script, profile);
    return denialIn({ output, exitCode: code ?? 0, directory: place.workspace }, profile);
  };

  test('a write outside names the file, or the directory it would be made in [B2]', () => {
    const file = place.put(join(place.home, 'my notes/a.txt'), 'a');
    const directory = join(place.home, 'my notes');
    const atFile: Need = { needs: 'write', path: file, scope: 'file' };
    const atDirectory: Need = { needs: 'write', path: directory, scope: 'tree' };
    expect(denied(`echo x >'${file}'`)).toEqual(atFile);
    expect(denied(`sh -c 'echo x >>"$HOME/my notes/a.txt"'`)).toEqual(atFile);
    expect(denied(`touch '${directory}/new'`)).toEqual(atDirectory);
    expect(denied(`mkdir -p '${directory}/x/y'`)).toEqual(atDirectory);
    expect(denied(`node -e 'fs.writeFileSync(process.env.HOME + "/my notes/new", "")'`)).toEqual(atDirectory);
    expect(denied(`echo noise; cp /etc/passwd '${file}'; echo more noise; exit 3`)).toEqual(atFile);
  });

  test('what is granted as named is no longer denied [B2]', () => {
    const file = place.put(join(place.home, 'notes/a.txt'), 'a');
    for (const script of [`echo x >${file}`, `touch ${file}-new`, `mv ${file}-new ${file}`, `rm ${file}`]) {
      const denial = denied(script);
      if (denial?.needs !== 'write') throw new Error(`${script} was not denied`);
      const { path, scope } = denial;
      const granted = place.profile({ needs: [{ needs: 'write', path, scope }] });
      expect(place.run(script, granted)).toEqual({ code: 0, output: '' });
    }
  });

  test('a protected name of the workspace is named, however it was to be changed [B2]', () => {
    place.run('git init -q .');
    const config = join(place.workspace, '.git/config');
    const atConfig: Need = { needs: 'write', path: config, scope: 'file' };
    expect(denied('git config a.b c')).toEqual(atConfig);
    expect(denied('echo x >>.git/config')).toEqual(atConfig);
    expect(denied('mv .git old')).toEqual({
      needs: 'write',
      path: join(place.workspace, '.git'),
      scope: 'tree',
    });
    expect(denied('echo x >.git/hooks/pre-commit')).toEqual({
      needs: 'write',
      path: join(place.workspace, '.git/hooks'),
      scope: 'tree',
    });
    const granted = place.profile({ needs: [atConfig] });
    expect(place.run('git config a.b c && git config a.b', granted)).toEqual({ code: 0, output: 'c' });
  });

  test('what is hidden is named if it is there [B2]', () => {
    const key = place.put(join(place.home, '.ssh/id'), 'SECRET');
    const temporary = place.put(join(place.base, 'left'), 'x');
    expect(denied(`cat ${key}`)).toEqual({ needs: 'read', path: key, scope: 'file' });
    expect(denied(`cat ${temporary}`)).toEqual({ needs: 'read', path: temporary, scope: 'file' });
    expect(denied(`cat ${key}-other`)).toBeNull();
    expect(denied('cat /tmp/nothing-of-the-kind')).toBeNull();
    place.put(join(place.home, 'ordinary'));
    expect(denied(`echo ${key}; cat ${place.home}/missing`)).toBeNull();
  });

  test('what would be made in a directory that is out of sight names the directory [B2]', () => {
    const directory = join(place.home, '..', 'elsewhere');
    place.put(join(directory, 'a'));
    const atDirectory: Need = { needs: 'write', path: directory, scope: 'tree' };
    for (const script of ['echo x >new', 'sh -c "echo x >new"', 'touch new', 'mkdir new'])
      expect(denied(script.replace('new', join(directory, 'new')))).toEqual(atDirectory);
    expect(denied(`cp /etc/passwd ${directory}/`)).toEqual(atDirectory);
    const granted = place.profile({ needs: [atDirectory] });
    expect(place.run(`echo x >${directory}/new`, granted)).toEqual({ code: 0, output: '' });
    expect(denied('cat /tmp/no-such-directory/new')).toBeNull();
  });

  test('the network, and a service of this machine that really is there [B2]', async () => {
    const server = await listen();
    const { port } = addressOf(server);
    const connect = (to: string) => `(exec 3<>/dev/tcp/${to}) || exit 1`;
    const node = (to: number) => `node -e 'require("net").connect(${to}, "127.0.0.1")'`;
    try {
      expect(denied(connect('192.0.2.1/80'))).toEqual(NETWORK('192.0.2.1'));
      expect(denied(connect('no-such-host.example/80'))).toEqual(NETWORK('no-such-host.example'));
      expect(denied(`node -e 'fetch("https://no-such-host.example")'`)).toEqual(
        NETWORK('no-such-host.example'),
      );
      expect(denied(node(port))).toEqual(NETWORK(`localhost:${port}`));
    } finally {
      await new Promise((resolve) => server.close(resolve));
    }
    expect(denied(node(port))).toBeNull();
    expect(denied(connect('192.0.2.1/80'), { ...place.profile(), network: 'open' })).toBeNull();
  });

  test('an ordinary failure is none [B2]', () => {
    const locked = place.put(join(place.workspace, 'locked'), 'x');
    chmodSync(locked, 0o000);
    mkdirSync(join(place.workspace, 'full'));
    for (const script of [
      'false',
      'cat missing',
      'cat /etc/missing',
      'echo x >locked; exit 1',
      'echo x >full; exit 1',
      'cd missing',
      'mkdir full',
      'no-such-program',
      'echo x >/proc/sys/kernel/hostname; exit 1',
      'git log',
    ])
      expect([script, denied(script)]).toEqual([script, null]);
    expect(denied('touch /etc/x; true')).toBeNull();
  });

  test('what no user could write is none (needs root, which can mount) [B2]', (context) => {
    context.skip(process.geteuid?.() !== 0, 'Only root can mount.');
    const directory = join(place.home, 'medium');
    mkdirSync(directory);
    expect(spawnSync('mount', ['-t', 'tmpfs', '-o', 'ro', 'none', directory]).status).toBe(0);
    try {
      expect(place.run(`touch ${directory}/x`).output).toMatch(/Read-only file system/);
      expect(denied(`touch ${directory}/x`)).toBeNull();
    } finally {
      spawnSync('umount', [directory]);
    }
  });
});

describe('denials in what programs print', () => {
  const place = new Place(PERSONS[0] ?? { name: 'user', uid: 0, gid: 0 });
  afterAll(() => place.remove());
  const profile = place.profile();
  const read = (output: string) => denialIn({ output, exitCode: 1, directory: place.workspace }, profile);

  test.each([
    ['curl: (6) Could not resolve host: example.com', 'example.com'],
    ["fatal: unable to access 'https://github.com/a/b/': Could not resolve host: github.com", 'github.com'],
    ['ssh: Could not resolve hostname github.com: Temporary failure in name resolution', 'github.com'],
    ['wget: unable to resolve host address ‘example.com’', 'example.com'],
    ['ping: example.com: Temporary failure in name resolution', 'example.com'],
    [
      'npm error request to https://packages.example.org/x failed, reason: getaddrinfo EAI_AGAIN packages.example.org',
      'packages.example.org',
    ],
    ["Temporary failure resolving 'deb.debian.org'", 'deb.debian.org'],
    [
      'dial tcp: lookup proxy.golang.org on 10.0.0.2:53: dial udp 10.0.0.2:53: connect: network is unreachable',
      'proxy.golang.org',
    ],
    ['dial tcp 140.82.112.3:443: connect: network is unreachable', '140.82.112.3'],
    [
      "HTTPSConnectionPool(host='pypi.org', port=443): Max retries exceeded (Caused by NewConnectionError(': Failed to establish a new connection: [Errno -3] Temporary failure in name resolution'))",
      'pypi.org',
    ],
    ['java.net.UnknownHostException: repo.maven.apache.org', 'repo.maven.apache.org'],
    [
      'psql: error: could not translate host name "db.internal" to address: Temporary failure in name resolution',
      'db.internal',
    ],
    ['ssh: connect to host 192.0.2.7 port 22: Network is unreachable', '192.0.2.7'],
    ['urllib.error.URLError: <urlopen error [Errno -3] Temporary failure in name resolution>', null],
    ['\u001B[31mcurl: (6) Could not resolve host: example.com\u001B[0m\n\n', 'example.com'],
  ])('%s [B2]', (output, host) => {
    expect(read(output)).toEqual(NETWORK(host));
  });

  const usr: Need = { needs: 'write', path: realpathSync('/usr/lib'), scope: 'tree' };
  test.for([
    ["OSError: [Errno 30] Read-only file system: '/usr/lib/new'"],
    ["Error: EROFS: read-only file system, mkdir '/usr/lib/new'"],
    ['open /usr/lib/new: read-only file system'],
    ['java.io.FileNotFoundException: /usr/lib/new (Read-only file system)'],
    ['error: failed to open: /usr/lib/new\n\nCaused by:\n  Read-only file system (os error 30)'],
    ['/bin/sh: 1: cannot create /usr/lib/new: Read-only file system'],
    [
      "npm error path /usr/lib/new\nnpm error rofs EROFS: read-only file system, mkdir '/usr/lib/new'\nnpm error rofs Often virtualized file systems are not writable.",
    ],
  ])('%s [B2]', ([output = ''], context) => {
    context.skip(process.geteuid?.() !== 0, 'Only root could write there without the sandbox.');
    expect(read(output)).toEqual(usr);
  });

  test.each([
    ['Permission denied'],
    ['touch: cannot touch "a": Permission denied'],
    ['connect ECONNREFUSED 127.0.0.1:1'],
    ['rm: cannot remove "x": Device or resource busy'],
    ['EBUSY: resource busy or locked, unlink "/etc/passwd"'],
    ['AssertionError: expected "Read-only file system" to be thrown'],
    ['error TS2307: Cannot find module "./a.js" or its corresponding type declarations.'],
    [''],
  ])('an ordinary failure is none: %s [B2]', (output) => {
    expect(read(output)).toBeNull();
  });

  test('what the profile allows was not denied by it [B2]', () => {
    const outside = `touch: cannot touch '${place.home}/a': Read-only file system`;
    const unreachable = 'curl: (6) Could not resolve host: example.com';
    expect(read(outside)).toEqual({ needs: 'write', path: place.home, scope: 'tree' });
    expect(read(outside.replace(place.home, place.workspace))).toBeNull();
    expect(read(outside.replace(place.home, '/tmp'))).toBeNull();
    const open: Profile = { ...profile, network: 'open' };
    expect(denialIn({ output: unreachable, exitCode: 6, directory: place.workspace }, open)).toBeNull();
  });

  test('a command that succeeded was denied nothing [B2]', () => {
    const output = 'curl: (6) Could not resolve host: example.com';
    expect(denialIn({ output, exitCode: 0, directory: place.workspace }, profile)).toBeNull();
  });
});

function listen(): Promise<Server> {
  return new Promise((resolve, reject) => {
    const server = createServer((connection) => connection.destroy());
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => resolve(server));
  });
}

function addressOf(server: Server): { readonly port: number } {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('it has no port');
  return address;
}
