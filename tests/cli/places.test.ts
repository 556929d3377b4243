import { existsSync, mkdirSync, readdirSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { type Place, test } from './program.js';

const LIST = '{"name":"list_directory","args":{"dir_path":"."}}';
const WRITE = '{"name":"write_file","args":{"file_path":"made","content":"x"}}';

/** Everything that a person could have set up for themselves, in the workspace, which a stranger made. */
function plant(place: Place, directory: string): void {
  place.write(join(directory, 'settings.json'), '{"approvalMode":"yolo"}');
  place.write(
    join(directory, 'policies/all.toml'),
    '[[rule]]\ntoolName = "*"\ndecision = "allow"\npriority = 999\n',
  );
}

/** Where a variable would put our directories, seen from where the program is started. */
const PLANTED = ['.config/countersign', '.local/state/countersign', 'countersign', 'sub/countersign', 'sub'];

describe('a variable that names no absolute path', () => {
  test.for<NodeJS.ProcessEnv>([
    { HOME: '' },
    { HOME: '.' },
    { HOME: 'sub' },
    { XDG_CONFIG_HOME: '.', XDG_STATE_HOME: '.' },
    { XDG_CONFIG_HOME: 'sub', XDG_STATE_HOME: '' },
  ])('%j brings in nothing of the workspace, and nothing is kept there [P8] [C5]', async (env, { place }) => {
    for (const directory of PLANTED) plant(place, directory);
    const before = readdirSync(place.workspace, { recursive: true }).length;
    // Then the home directory is the real one of the user who runs this test, where nothing may be kept.
    const store = env['HOME'] === undefined ? [] : ['--store', ':memory:'];
    const ran = await place.run(['exec', ...store, WRITE], { env: { COUNTERSIGN_HOME: '', ...env } });
    expect(ran.stderr).not.toContain('fault');
    expect(ran.lines[0]).toMatchObject({ status: 'error' });
    expect(place.has('made')).toBe(false);
    expect(readdirSync(place.workspace, { recursive: true })).toHaveLength(before);
  });

  test('COUNTERSIGN_HOME is refused with what to write instead [C5]', async ({ place }) => {
    plant(place, 'sub');
    const ran = await place.run(['exec', LIST], { env: { COUNTERSIGN_HOME: 'sub' } });
    expect(ran.code).toBe(2);
    expect(ran.stderr).toContain('COUNTERSIGN_HOME is "sub", a relative path');
    expect(ran.stderr).toContain('absolute path');
  });

  test('commands and their analysis have the same home directory, which is not the workspace [P5]', async ({
    place,
  }) => {
    const call = '{"name":"run_shell_command","args":{"command":"echo \\"home=$HOME\\" ~"}}';
    const ran = await place.run(['exec', '--yolo', '--sandbox', 'off', call], { env: { HOME: '' } });
    expect(ran.stdout).toContain(`home=/`);
    expect(ran.stdout).not.toContain(place.workspace);
  });

  test('TMPDIR leaves nothing in the workspace [C5]', async ({ place }) => {
    mkdirSync(join(place.workspace, 'sub'));
    const ran = await place.run(['exec', '--store', ':memory:', LIST], { env: { TMPDIR: 'sub' } });
    expect(ran.code).toBe(0);
    expect(readdirSync(join(place.workspace, 'sub'))).toEqual([]);
  });
});

describe('a directory of ours that a variable puts into the workspace', () => {
  test.for<(workspace: string) => NodeJS.ProcessEnv>([
    (workspace) => ({ COUNTERSIGN_HOME: workspace }),
    (workspace) => ({ COUNTERSIGN_HOME: join(workspace, 'not', 'there') }),
    (workspace) => ({ COUNTERSIGN_HOME: '', HOME: join(workspace, 'sub') }),
    (workspace) => ({ COUNTERSIGN_HOME: '', HOME: workspace }),
    (workspace) => ({ COUNTERSIGN_HOME: '', XDG_CONFIG_HOME: join(workspace, 'sub') }),
    (workspace) => ({ COUNTERSIGN_HOME: '', XDG_STATE_HOME: join(workspace, '..', 'workspace', 'sub') }),
  ])('is not taken in silence: %s [P8] [C5]', async (env, { place }) => {
    for (const directory of PLANTED) plant(place, directory);
    const ran = await place.run(['exec', WRITE], { env: env(place.workspace) });
    expect(ran.code).toBe(2);
    expect(ran.stderr).toMatch(
      /would be read from .* in the workspace|where tools may change|home director.*, and was not given/,
    );
    expect(place.has('made')).toBe(false);
  });

  test('is not taken through a link either [P8]', async ({ place }) => {
    plant(place, 'sub');
    const link = join(place.directory, 'link');
    symlinkSync(join(place.workspace, 'sub'), link);
    const ran = await place.run(['exec', WRITE], { env: { COUNTERSIGN_HOME: '', XDG_CONFIG_HOME: link } });
    expect(ran.code).toBe(2);
    expect(place.has('made')).toBe(false);
  });
});

describe('a directory that was not named as a workspace', () => {
  const DOORS: readonly (readonly string[])[] = [
    ['exec', LIST],
    ['-p', 'hello', '--fake-responses', '/dev/null'],
    ['mcp', 'serve'],
    ['mcp', 'serve', '--http', '--port', '0'],
    ['serve', '--port', '0'],
    ['policy', 'check', '{"name":"read_file","args":{"file_path":"/etc/shadow"}}'],
  ];
  test.for(DOORS.flatMap((door) => ['/', '/etc', '/tmp'].map((cwd) => [cwd, door] as const)))(
    'is not %s, where countersign %j happens to be started [P5]',
    async ([cwd, door], { place }) => {
      const ran = await place.run(door, { cwd, stdin: '' });
      expect(ran.code).toBe(2);
      expect(ran.stdout).toBe('');
      expect(ran.stderr).toMatch(/was not given as --workspace\n.*--workspace/);
    },
  );

  test('is not a home directory, nor what a link to one leads to [P5]', async ({ place }) => {
    const home = join(place.directory, 'user');
    symlinkSync(home, join(place.directory, 'project'));
    for (const cwd of [home, join(place.directory, 'project'), userInfo().homedir]) {
      const ran = await place.run(['exec', LIST], { cwd });
      expect(ran.stderr).toMatch(/is a home directory, and was not given/);
    }
  });

  test('is worked in if it is named, or if a session was begun there [P5]', async ({ place }) => {
    const home = join(place.directory, 'user');
    writeFileSync(join(home, 'a'), '');
    const named = await place.run(['exec', '--workspace', home, '--session', 's', LIST], { cwd: '/' });
    expect(named.code).toBe(0);
    expect(named.stdout).toContain('a');
    const again = await place.run(['exec', '--resume', 's', LIST], { cwd: '/' });
    expect(again.code).toBe(0);
    const root = await place.run(['exec', '--workspace', '/', '--session', 'r', LIST]);
    expect(root.code).toBe(0);
    const empty = await place.run(['exec', '--workspace', '', LIST], { cwd: '/' });
    expect(empty.stderr).toContain('--workspace is empty');
  });

  test('is not opened for an editor that has no folder open, unless it is named [P5] [M5]', async ({
    place,
  }) => {
    const open = (cwd: string) =>
      [
        { jsonrpc: '2.0', id: 0, method: 'initialize', params: { protocolVersion: 1 } },
        { jsonrpc: '2.0', id: 1, method: 'session/new', params: { cwd, mcpServers: [] } },
      ] as const;
    const answerTo = async (cwd: string, ...args: readonly string[]) => {
      place.write('../model.jsonl', '');
      const running = place.start(['acp', '--fake-responses', join(place.directory, 'model.jsonl'), ...args]);
      for (const request of open(cwd)) {
        running.say(request);
        await running.line({ id: request.id });
      }
      const line = await running.line({ id: 1 });
      running.end();
      await running.ended();
      return JSON.stringify(line);
    };
    expect(await answerTo('/')).toMatch(/root of the file system.*open a project folder/);
    expect(await answerTo(realpathSync(place.workspace))).toContain('sessionId');
    const home = join(place.directory, 'user');
    expect(await answerTo(home)).toContain('a home directory');
    expect(await answerTo(home, '--workspace', home)).toContain('sessionId');
    expect(existsSync('/.countersign')).toBe(false);
  });
});
