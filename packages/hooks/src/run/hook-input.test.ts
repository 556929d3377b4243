import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { HookPlace, saying, WRITE } from '../testing/hook-place.js';

let place: HookPlace;
beforeEach(() => {
  place = new HookPlace();
});
afterEach(() => place.remove());

describe('what a hook receives', () => {
  test('is JSON on stdin, with the common fields and those of the event [H1]', async () => {
    const payload = {
      ...WRITE,
      mcp_context: { server_name: 'git', tool_name: 'commit', command: 'git-mcp' },
      original_request_name: 'ask',
      tool_response: { llmContent: 'done', returnDisplay: 'Done', error: { message: 'none' } },
    };
    const before = Date.now();
    await place.fire('AfterTool', payload, {
      hooks: { AfterTool: [{ hooks: [{ type: 'command', command: 'cat > input.json' }] }] },
    });
    const { timestamp, ...input } = JSON.parse(place.read('input.json'));
    expect(input).toEqual({
      session_id: 'session-1',
      transcript_path: expect.stringMatching(/transcript\.json$/),
      cwd: place.workspace,
      hook_event_name: 'AfterTool',
      ...payload,
    });
    expect(new Date(timestamp).toISOString()).toBe(timestamp);
    expect(Date.parse(timestamp)).toBeGreaterThanOrEqual(before);
  });

  test('survives any text whole [H1]', async () => {
    const tool_input = { content: '\u2028 "\\" \0 \ud800 é 🎉\n', ['__proto__']: 'own' };
    await place.fire(
      'BeforeTool',
      { tool_name: 'write_file', tool_input },
      {
        hooks: { BeforeTool: [{ hooks: [{ type: 'command', command: 'cat > input.json' }] }] },
      },
    );
    expect(JSON.parse(place.read('input.json')).tool_input).toEqual(JSON.parse(JSON.stringify(tool_input)));
  });

  test('is in its environment too, which holds no secret of the host [H1] [X4]', async () => {
    const environment = {
      PATH: process.env['PATH'],
      HOME: '/home/ada',
      GEMINI_API_KEY: 'secret-1',
      DATABASE_URL: 'postgres://ada:secret-2@db/x',
      NPM_TOKEN: 'let through',
      BASH_ENV: '/etc/evil',
      GEMINI_SESSION_ID: 'of an outer program',
    };
    await place.before([{ command: 'env > input.env', env: { LEVEL: 'high', GEMINI_PLANS_DIR: '/mine' } }], {
      environment,
      pass: ['NPM_TOKEN'],
    });
    const input = Object.fromEntries(
      place
        .read('input.env')
        .trim()
        .split('\n')
        .map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
    );
    expect(input).toEqual({
      PATH: process.env['PATH'],
      HOME: '/home/ada',
      NPM_TOKEN: 'let through',
      GEMINI_PROJECT_DIR: place.workspace,
      GEMINI_CWD: place.workspace,
      GEMINI_PLANS_DIR: '/mine',
      GEMINI_SESSION_ID: 'session-1',
      CLAUDE_PROJECT_DIR: place.workspace,
      LEVEL: 'high',
      PWD: place.workspace,
      COUNTERSIGN: '1',
      COUNTERSIGN_CALL: expect.stringMatching(/^countersign-/),
      GEMINI_CLI: '1',
      TERM: 'dumb',
      NO_COLOR: '1',
      PAGER: 'cat',
      GIT_PAGER: 'cat',
      GIT_TERMINAL_PROMPT: '0',
      npm_config_update_notifier: 'false',
      SHLVL: expect.any(String),
      _: expect.any(String),
    });
  });

  test('lets it find its script by the documented variable, also below a directory with blanks [H1]', async () => {
    const odd = new HookPlace(`a b'$(touch oops) *`);
    try {
      odd.put('hooks/say.sh', `#!/bin/bash\n${saying({ decision: 'deny', reason: 'found' })}\n`);
      for (const command of [
        '$GEMINI_PROJECT_DIR/hooks/say.sh',
        '"$GEMINI_PROJECT_DIR/hooks/say.sh"',
        '"$CLAUDE_PROJECT_DIR"/hooks/say.sh',
        'bash ${GEMINI_CWD}/hooks/say.sh',
        `X='$GEMINI_PROJECT_DIR' && eval "bash \\"$X/hooks/say.sh\\""`,
      ]) {
        const { verdict } = await odd.before([{ command }]);
        expect(verdict, `for ${command}`).toEqual({ type: 'deny', reason: 'found' });
      }
      expect(odd.has('oops')).toBe(false);
    } finally {
      await odd.remove();
    }
  });
});
