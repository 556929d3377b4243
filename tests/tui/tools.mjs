// Tools for tests of the terminal: a question of every kind, and calls that show what they do.
import { setTimeout as sleep } from 'node:timers/promises';

const tool = (name, parts) => ({
  name,
  displayName: name,
  description: `For tests: ${name}.`,
  kind: 'other',
  inputSchema: { type: 'object' },
  canUpdateOutput: true,
  check: (args) => ({ ok: true, args }),
  plan: () => ({ title: name, resources: [], repeat: 'unsafe', byDefault: 'allow' }),
  run: () => ({ llmContent: 'done', returnDisplay: `${name} is done` }),
  ...parts,
});

export default [
  tool('deploy', {
    plan: (args) => ({
      title: `Deploy to ${args.region}`,
      resources: [{ kind: 'mcp', server: 'cloud', tool: 'deploy', access: 'write' }],
      repeat: 'unsafe',
      byDefault: 'ask_user',
      confirmation: {
        type: 'mcp',
        title: 'Deploy',
        serverName: 'cloud',
        toolName: 'deploy',
        toolDisplayName: 'Deploy',
        toolArgs: args,
        toolDescription: 'Puts the site on the air.',
      },
    }),
    run: (args) => ({ llmContent: 'deployed', returnDisplay: `deployed to ${args.region}` }),
  }),
  tool('look_up', {
    kind: 'fetch',
    plan: () => ({
      title: 'Fetch a page',
      resources: [{ kind: 'net', host: 'example.org', access: 'read' }],
      repeat: 'safe',
      byDefault: 'ask_user',
      confirmation: {
        type: 'info',
        title: 'Fetch a page',
        prompt: 'Summarise the page.',
        urls: ['https://example.org/page'],
      },
    }),
  }),
  tool('stream', {
    run: async (args, { updateOutput, progress, signal }) => {
      const lines = [];
      for (let line = 1; line <= args.lines && !signal.aborted; line++) {
        lines.push(`line ${line} of ${args.name ?? 'it'}`);
        updateOutput(lines.slice(-40).join('\n'));
        progress(line, args.lines, 'lines');
        if (args.pauseMs) await sleep(args.pauseMs, undefined, { signal }).catch(() => {});
      }
      return { llmContent: 'streamed', returnDisplay: lines.join('\n') };
    },
  }),
  // A thousand lines a second, or `perTick` a millisecond.
  tool('flood', {
    run: async (args, { updateOutput, signal }) => {
      const kept = [];
      const began = performance.now();
      for (let line = 0; line < args.lines && !signal.aborted; ) {
        const due = Math.min(args.lines, Math.floor((performance.now() - began) * (args.perTick ?? 1)));
        for (; line < due; line++) {
          kept.push(`line ${line} of ${args.name}, as long as lines of a build mostly are`);
          if (kept.length > 40) kept.shift();
          updateOutput(kept.join('\n'));
        }
        await sleep(1);
      }
      return { llmContent: 'flooded', returnDisplay: kept.join('\n') };
    },
  }),
  tool('wait', {
    run: async (args, { signal, updateOutput }) => {
      updateOutput('waiting');
      await sleep(args.ms ?? 60_000, undefined, { signal }).catch(() => {});
      return { llmContent: 'waited', returnDisplay: 'waited' };
    },
  }),
];
