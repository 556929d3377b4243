import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, expect } from 'vitest';
import { isGone } from '../../packages/hooks/src/testing/hook-place.js';
import { asEvents, stallsAfter } from '../../packages/models/src/testing/wire-server.js';
import {
  call,
  chunk,
  ends,
  FakeModel,
  ofType,
  prompt,
  resultOf,
  says,
  streaming,
  text,
} from './headless-model.js';
import { PROGRAM, test } from './program.js';
import { inTerminal } from './terminal.js';

const ESCAPE = '\u001b';

describe('as text', () => {
  test("only the model's words go to stdout, also beside calls that fail [C2]", async ({ place }) => {
    const model = await FakeModel.start(
      says(text('Let me look.'), call('run_shell_command', { command: 'echo seen; exit 3' })),
      says(text('It '), text('failed.')),
    );
    const { code, stdout, stderr } = await model.run(place, prompt('go', '--yolo'));
    expect([code, stdout]).toEqual([0, 'Let me look.\nIt failed.\n']);
    expect(stderr).toBe('countersign: run_shell_command: The command ended with exit code 3.\n');
  });

  test('in a pipe stderr has only problems, without colours [C1]', async ({ place }) => {
    place.write('a.txt', 'x\n');
    const model = await FakeModel.start(says(call('read_file', { file_path: 'a.txt' })), says(text('ok')));
    const { stdout, stderr } = await model.run(place, prompt('go'));
    expect([stdout, stderr]).toEqual(['ok\n', '']);
  });

  test('model text is written to a pipe and to a terminal without control characters [A7]', async ({
    place,
  }) => {
    const words = `${ESCAPE}]0;owned\u0007${ESCAPE}[2J`;
    const model = await FakeModel.start(says(text(words)));
    const { stdout } = await model.run(place, prompt('go'));
    expect(stdout).toContain('owned');
    expect(stdout).not.toContain(ESCAPE);
    expect(stdout).not.toContain('\u0007');
    await inTerminal(
      place,
      prompt('go'),
      async (terminal) => {
        const screen = await terminal.shows('[exit 0]');
        expect(screen).toContain('owned');
        expect(screen).toContain('[2J');
      },
      { ...model.env, NO_COLOR: '1' },
    );
  });

  test('a person at a terminal sees a line for each call, and what it took [C1]', async ({ place }) => {
    place.write('a.txt', 'x\n');
    const model = await FakeModel.start(
      says(
        text('Looking'),
        call('read_file', { file_path: 'a.txt' }),
        call('run_shell_command', { command: 'exit 4' }),
      ),
      says(text('Both.')),
    );
    await inTerminal(
      place,
      prompt('go', '--yolo'),
      async (terminal) => {
        const screen = await terminal.shows('[exit 0]');
        expect(screen).toMatch(/^Looking$/m);
        expect(screen).toMatch(/^ {2}✓ Read a\.txt \(\d+ ms\)$/m);
        expect(screen).toMatch(/^ {2}✗ .*exit 4.*: The command ended with exit code 4\.$/m);
        expect(screen).toMatch(/^Both\.$/m);
        expect(screen).toMatch(/^ {2}200 tokens in, 20 out.* · 2 calls · /m);
      },
      model.env,
    );
  });

  test('a truncated response is printed and reported as truncated [G1]', async ({ place }) => {
    const model = await FakeModel.start(ends('MAX_TOKENS', text('Half an')));
    const { code, stdout, stderr } = await model.run(place, prompt('go'));
    expect([code, stdout]).toEqual([0, 'Half an\n']);
    expect(stderr).toContain('incomplete');
  });

  test('a closed output ends the run and its processes, without a message [C1] [X3]', async ({ place }) => {
    const seconds = `60.3${process.pid}`;
    const model = await FakeModel.start(
      says(text('first\n'), call('run_shell_command', { command: 'sleep 0.2' })),
      says(text('second\n'), call('run_shell_command', { command: `sleep ${seconds}` })),
    );
    const env = { ...place.environment, ...model.env };
    const line = `"${process.execPath}" "${PROGRAM}" -p go --yolo --session s | head -1`;
    const shell = spawn('bash', ['-c', line], {
      cwd: place.workspace,
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let heard = '';
    for (const stream of [shell.stdout, shell.stderr])
      stream.setEncoding('utf8').on('data', (piece: string) => {
        heard += piece;
      });
    await once(shell, 'close');
    expect(heard).toBe('first\n');
    expect(await isGone(seconds)).toBe(true);
    const again = await FakeModel.start(says(text('still here')));
    expect((await again.run(place, prompt('and now?', '--resume', 's'))).stdout).toBe('still here\n');
  });
});

describe('as one object', () => {
  test('it has the last response, and counts a failed command as failed [C2] [X4]', async ({ place }) => {
    const model = await FakeModel.start(
      says(
        text('On the way.'),
        call('run_shell_command', { command: 'exit 3' }),
        call('write_file', { file_path: 'a.txt', content: 'one\ntwo\n' }),
      ),
      says(text('The '), text('end.')),
    );
    const { code, stdout, stderr } = await model.run(place, prompt('go', '--yolo', '-o', 'json'));
    const { response, session_id, stats, error, warnings } = JSON.parse(stdout);
    expect([code, response, error, warnings, stderr]).toEqual([0, 'The end.', undefined, undefined, '']);
    expect(session_id).not.toBe('');
    expect(Object.values(stats.models)).toMatchObject([
      { api: { totalRequests: 2, totalErrors: 0 }, tokens: { prompt: 200, candidates: 20, total: 220 } },
    ]);
    expect(stats.tools).toMatchObject({
      totalCalls: 2,
      totalSuccess: 1,
      totalFail: 1,
      byName: { run_shell_command: { fail: 1 }, write_file: { success: 1 } },
    });
    expect(stats.files).toEqual({ totalLinesAdded: 2, totalLinesRemoved: 0 });
  });

  test('what kept it from its end is in it [C2]', async ({ place }) => {
    const model = await FakeModel.start(ends('SAFETY'));
    const { code, stdout } = await model.run(place, prompt('go', '-o', 'json'));
    expect([code, JSON.parse(stdout).error.type]).toEqual([1, 'answer_blocked']);
  });
});

describe('as lines of JSON', () => {
  test('every event is printed as it happens, with its true status [C2]', async ({ place }) => {
    place.write('a.txt', 'hello\n');
    const model = await FakeModel.start(
      says(
        text('Let me '),
        call('read_file', { file_path: 'a.txt' }, 'r'),
        call('read_file', { file_path: 'gone.txt' }, 'g'),
        call('write_file', { file_path: 'b.txt', content: 'x' }, 'w'),
      ),
      says(text('Done.')),
    );
    const ran = await model.run(place, streaming('look'));
    expect(ran.code).toBe(0);
    expect(ran.lines.map(({ type }) => type).slice(0, 3)).toEqual(['init', 'message', 'message']);
    expect(ran.lines[0]).toMatchObject({ session_id: expect.any(String), model: expect.any(String) });
    expect(ran.lines[1]).toMatchObject({ role: 'user', content: 'look' });
    expect(ran.lines[2]).toMatchObject({ role: 'assistant', content: 'Let me ', delta: true });
    expect(ofType(ran, 'tool_use')).toMatchObject([{ tool_id: 'r' }, { tool_id: 'g' }, { tool_id: 'w' }]);
    const byId = (id: string) => ofType(ran, 'tool_result').find((line) => line['tool_id'] === id);
    expect(byId('r')).toMatchObject({ status: 'success', output: 'hello\n' });
    expect(byId('g')).toMatchObject({ status: 'error', error: { type: 'file_not_found' } });
    expect(byId('w')).toMatchObject({ status: 'error', error: { type: 'nobody_to_ask' } });
    expect(resultOf(ran)).toMatchObject({
      status: 'success',
      stats: { total_tokens: 220, input_tokens: 200, output_tokens: 20, tool_calls: 3 },
    });
    expect(ran.lines.every(({ timestamp }) => typeof timestamp === 'string')).toBe(true);
  });

  test('init is the first line, even if there are warnings [C2]', async ({ place }) => {
    place.write('.countersign/settings.json', '{"hooks": {"BeforeTool": []}, "editor": "vim"}');
    const model = await FakeModel.start(says(text('hi')));
    const ran = await model.run(place, streaming('go'));
    expect(ran.lines.map(({ type }) => type)).toEqual(['init', 'error', 'message', 'message', 'result']);
    expect(ran.lines[1]).toMatchObject({ severity: 'warning' });
  });

  test('text is printed while the model still responds [G1]', async ({ place }) => {
    const model = await FakeModel.start(stallsAfter(asEvents([chunk(null, [text('at once')])])));
    const running = model.start(place, streaming('go'));
    running.end();
    await running.line({ type: 'message', content: 'at once' });
    running.signal('SIGINT');
    expect((await running.ended()).code).toBe(130);
    expect(await model.server.isDeserted()).toBe(true);
  });
});
