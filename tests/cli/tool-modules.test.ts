import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { asLines, errorOf, type Line, type Place, readCall, test } from './program.js';

/** Tools that do what no tool should, beside one that does as it should. */
const MODULE = `
import { appendFileSync } from 'node:fs';
let calls = 0;
const tool = (name, run, more = {}) => ({ name, displayName: name, description: name, kind: 'other',
  inputSchema: { type: 'object' }, canUpdateOutput: true, check: (args) => ({ ok: true, args }),
  plan: () => ({ title: name, resources: [], repeat: 'unsafe', byDefault: 'allow' }), run, ...more });
const never = () => new Promise(() => setInterval(() => {}, 1000));
export default [
  tool('good', ({ file }, { workspace, updateOutput, progress }) => {
    calls += 1;
    updateOutput('working');
    progress(1, 2, 'half');
    if (file) appendFileSync(workspace + '/' + file, 'x');
    return { llmContent: 'good ' + calls, returnDisplay: '' };
  }),
  tool('exit', () => { process.exit(3); }),
  tool('exit_later', () => { setTimeout(() => process.exit(0), 200); return never(); }),
  tool('reject', () => { Promise.reject(new Error('left alone')); return never(); }),
  tool('throw_later', () => { setTimeout(() => { throw new Error('too late'); }, 1); return never(); }),
  tool('loop', () => { for (;;); }, { timeoutMs: 500 }),
  tool('endless', (_, { workspace }) => { appendFileSync(workspace + '/begun', ''); for (;;); }),
  tool('flood', () => { const all = []; for (;;) all.push(new Array(1e5).fill(all.length)); }),
  tool('exit_planning', () => ({ llmContent: '', returnDisplay: '' }), { plan: () => process.exit(4) }),
  tool('print', () => { console.log('not JSON'); return { llmContent: 'printed', returnDisplay: '' }; }),
  tool('strange', () => ({ llmContent: () => 1, returnDisplay: '' })),
  tool('where', (_, { directory, sessionDirectory }) => ({ llmContent: directory.startsWith(sessionDirectory) ? 'inside' : 'outside', returnDisplay: '' })),
  tool('picky', () => ({ llmContent: 'ran', returnDisplay: '' }), {
    check: (args) => 'a' in args ? { ok: true, args } : { ok: false, problems: ['"a" is required'] },
    renameArgs: ({ b, ...rest }) => b === undefined ? rest : { ...rest, a: b },
    overrides: () => ({ description: 'Other words.' }),
  }),
];`;

const HEALTHY = readCall('a.txt', 'healthy');
const call = (name: string, id = name, args: object = {}): Line => ({ id, name, args });

function module(place: Place, text = MODULE): string {
  place.write('a.txt', 'content\n');
  const file = join(place.directory, 'tools.mjs');
  writeFileSync(file, text);
  return file;
}

async function exec(place: Place, ...calls: readonly Line[]) {
  const ran = await place.run(['exec', '--tools', module(place)], { stdin: asLines(...calls) });
  return { ...ran, of: (id: string) => ran.lines.find(({ callId }) => callId === id) };
}

describe('what a tool of a module does to itself ends no other call [S6] [T1]', () => {
  for (const [name, why] of [
    ['exit', 'process.exit(3)'],
    ['exit_later', 'process.exit(0)'],
    ['reject', 'left alone'],
    ['throw_later', 'too late'],
    ['flood', 'memory'],
  ] as const) {
    test(`${name}: the call says what happened and that it may have taken effect [X1]`, async ({ place }) => {
      const running = place.start(['exec', '--tools', module(place)]);
      for (const each of [call('good', 'before'), call(name), HEALTHY]) running.say(each);
      const ended = errorOf(await running.line({ callId: name }));
      expect(ended).toMatchObject({ type: 'unhandled_exception', message: expect.stringContaining(why) });
      expect(`${ended.message} ${ended.hint}`).toContain('may have taken effect');
      // The module is loaded again for the next call.
      running.say(call('good', 'after'));
      running.end();
      const { code, lines } = await running.ended();
      expect(code).toBe(1);
      const of = (id: string) => lines.find(({ callId }) => callId === id);
      for (const id of ['healthy', 'before', 'after']) expect(of(id)).toMatchObject({ status: 'success' });
      expect(of('after')).toMatchObject({ output: 'good 1' });
    });
  }

  test('an endless loop is ended at the deadline of its call, and calls that had not begun are run [L5]', async ({
    place,
  }) => {
    const { of } = await exec(place, call('loop'), call('good'), HEALTHY);
    expect(errorOf(of('loop'))).toMatchObject({ type: 'timed_out' });
    expect(of('good')).toMatchObject({ status: 'success' });
    expect(of('healthy')).toMatchObject({ status: 'success' });
  });

  test('an endless loop is ended when its call is cancelled, and the program ends [L5] [S6]', async ({
    place,
  }) => {
    const running = place.start(['exec', '--tools', module(place)]);
    running.say(HEALTHY);
    running.say(call('endless'));
    await running.line({ callId: 'healthy' });
    await expect.poll(() => place.has('begun'), { timeout: 20_000 }).toBe(true);
    running.signal('SIGINT');
    const { lines } = await running.ended();
    expect(lines.find(({ callId }) => callId === 'endless')).toMatchObject({ status: 'cancelled' });
  });

  test('an exit while a call is planned fails that call, which has not run', async ({ place }) => {
    const { of } = await exec(place, call('exit_planning'), HEALTHY);
    expect(errorOf(of('exit_planning'))).toMatchObject({
      type: 'plan_failed',
      message: expect.stringContaining('process.exit(4)'),
    });
    expect(of('healthy')).toMatchObject({ status: 'success' });
  });
});

describe('a tool of a module has all that a tool has [T1]', () => {
  test('its effects happen once, its output is no line of ours, its result must be plain', async ({
    place,
  }) => {
    const { of, stderr } = await exec(
      place,
      call('good', 'good', { file: 'b.txt' }),
      call('print'),
      call('strange'),
      call('where'),
    );
    expect(place.read('b.txt')).toBe('x');
    expect([of('print'), stderr]).toEqual([
      expect.objectContaining({ status: 'success' }),
      expect.stringContaining('not JSON'),
    ]);
    expect(errorOf(of('strange'))).toMatchObject({ type: 'result_not_plain' });
    expect(of('where')).toMatchObject({ output: 'inside' });
  });

  test('its own check and its own names of arguments count', async ({ place }) => {
    const { of } = await exec(place, call('picky', 'none'), call('picky', 'renamed', { b: 1 }));
    expect(errorOf(of('none'))).toMatchObject({
      type: 'invalid_tool_params',
      message: expect.stringContaining('"a" is required'),
    });
    expect(of('renamed')).toMatchObject({ status: 'success' });
  });

  test('a module that changes while it is in use is not loaded again in its new form [P8]', async ({
    place,
  }) => {
    const running = place.start(['exec', '--tools', module(place)]);
    running.say(call('exit'));
    await running.line({ callId: 'exit' });
    module(place, `${MODULE}\n// changed`);
    running.say(call('good'));
    running.end();
    const { lines } = await running.ended();
    expect(errorOf(lines.find(({ callId }) => callId === 'good')).message).toContain('changed');
  });

  test('a module that ends, throws or lacks something while it is loaded is named with the reason', async ({
    place,
  }) => {
    for (const [text, reason] of [
      ['process.exit(5); export default [];', 'process.exit(5)'],
      ['throw new Error("no config");', 'no config'],
      ['export default [{ name: "a" }];', 'a tool lacks'],
      ['export const tools = [];', 'it has no default export'],
    ] as const) {
      const args = ['exec', '--tools', module(place, text)];
      const { code, stderr } = await place.run(args, { stdin: asLines(HEALTHY) });
      expect([code, stderr]).toEqual([4, expect.stringContaining(reason)]);
    }
  });
});
