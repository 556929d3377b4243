// Tools that a test of the program needs and the program does not have. Loaded with --tools.

/**
 * @typedef {import('@countersign/engine').Tool} Tool
 * @typedef {import('@countersign/engine').RunContext} RunContext
 */

/** Far longer than any test waits: whoever calls these wants them to be stopped. */
const LONG_MS = 60_000;
/** Long enough to be cancelled in between, and less than a tool has to stop. */
const FINISHING_MS = 1_500;

/**
 * @param {string} name
 * @param {Tool['run']} run
 * @param {Partial<Tool>} more
 * @returns {Tool}
 */
const tool = (name, run, more = {}) => ({
  name,
  displayName: name,
  description: `Test tool ${name}.`,
  kind: 'other',
  inputSchema: { type: 'object' },
  canUpdateOutput: true,
  check: (args) => ({ ok: true, args }),
  plan: () => ({ title: name, resources: [], repeat: 'unsafe', byDefault: 'allow' }),
  run,
  ...more,
});

export default [
  tool('slow', (_, { signal, updateOutput }) => {
    updateOutput('begun');
    return new Promise((_resolve, reject) => {
      const timer = setTimeout(() => reject(new Error('nobody stopped it')), LONG_MS);
      signal.addEventListener('abort', () => {
        clearTimeout(timer);
        reject(new Error('stopped'));
      });
    });
  }),

  tool('deaf', (_, { updateOutput }) => {
    updateOutput('begun');
    return new Promise((resolve) =>
      setTimeout(() => resolve({ llmContent: 'late', returnDisplay: '' }), LONG_MS),
    );
  }),

  // Finishes soon, whether or not it is told to stop.
  tool('finishing', (_, { updateOutput }) => {
    updateOutput('begun');
    return new Promise((resolve) =>
      setTimeout(() => resolve({ llmContent: 'all done', returnDisplay: '', complete: true }), FINISHING_MS),
    );
  }),

  // When it began and ended, for tests of order.
  tool('stamp', async ({ ms }) => {
    const began = performance.timeOrigin + performance.now();
    await new Promise((resolve) => setTimeout(resolve, Number(ms ?? 0)));
    return { llmContent: { began, ended: performance.timeOrigin + performance.now() }, returnDisplay: '' };
  }),

  // Something without file content that a person may want to change before agreeing.
  tool('deploy', ({ target }) => ({ llmContent: `deployed to ${target}`, returnDisplay: '' }), {
    check: (args) =>
      typeof args['target'] === 'string'
        ? { ok: true, args }
        : { ok: false, problems: ['"target" must be a string'] },
    plan: ({ target }) => ({
      title: `Deploy to ${target}`,
      resources: [],
      repeat: 'unsafe',
      byDefault: 'ask_user',
      confirmation: {
        type: 'mcp',
        title: `Deploy to ${target}`,
        serverName: 'cloud',
        toolName: 'deploy',
        toolDisplayName: 'deploy',
        toolArgs: { target: String(target) },
        toolDescription: '',
      },
    }),
  }),

  // Titles and prompts as a hostile server might send them.
  tool('show', () => ({ llmContent: 'shown', returnDisplay: '' }), {
    plan: ({ title, prompt }) => ({
      title: String(title),
      resources: [],
      repeat: 'unsafe',
      byDefault: 'ask_user',
      confirmation: { type: 'info', title: String(title), prompt: String(prompt), urls: [] },
    }),
  }),
];
