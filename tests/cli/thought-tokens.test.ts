import type { JsonObject } from '@countersign/protocol';
import { expect, onTestFinished } from 'vitest';
import { asEvents, streams, WireServer } from '../../packages/models/src/testing/wire-server.js';
import { prompt, resultOf, streaming } from './headless-model.js';
import { test } from './program.js';

/** One answer of 100 tokens of input and 30 of output, 8 of which are thoughts, as each provider counts it. */
const openAi = (usage: JsonObject): string =>
  `${asEvents([
    { id: 'c', model: 'm', choices: [{ index: 0, delta: { content: 'Hi.' }, finish_reason: 'stop' }] },
    {
      id: 'c',
      model: 'm',
      choices: [],
      usage: { ...usage, completion_tokens_details: { reasoning_tokens: 8 } },
    },
  ])}data: [DONE]\n\n`;

const WIRES = {
  'Gemini, beside the answer': {
    wire: asEvents([
      {
        candidates: [{ content: { role: 'model', parts: [{ text: 'Hi.' }] }, finishReason: 'STOP' }],
        usageMetadata: {
          promptTokenCount: 100,
          candidatesTokenCount: 22,
          thoughtsTokenCount: 8,
          totalTokenCount: 130,
        },
      },
    ]),
    env: (url: string) => ({ GEMINI_API_KEY: 'k', GOOGLE_GEMINI_BASE_URL: url }),
    thoughts: 8,
  },
  'OpenAI, in the answer': {
    wire: openAi({ prompt_tokens: 100, completion_tokens: 30, total_tokens: 130 }),
    env: (url: string) => ({ OPENAI_API_KEY: 'k', OPENAI_BASE_URL: url }),
    thoughts: 8,
  },
  'xAI, in the form of OpenAI and beside the answer': {
    wire: openAi({ prompt_tokens: 100, completion_tokens: 22, total_tokens: 130 }),
    env: (url: string) => ({ OPENAI_API_KEY: 'k', OPENAI_BASE_URL: url }),
    thoughts: 8,
  },
  'Anthropic, in the answer, without saying how many': {
    wire: [
      { type: 'message_start', message: { model: 'm', usage: { input_tokens: 100, output_tokens: 1 } } },
      { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
      { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Hi.' } },
      { type: 'content_block_stop', index: 0 },
      { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 30 } },
      { type: 'message_stop' },
    ]
      .map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`)
      .join(''),
    env: (url: string) => ({ ANTHROPIC_API_KEY: 'k', ANTHROPIC_BASE_URL: url }),
    thoughts: 0,
  },
} as const;

for (const [name, { wire, env, thoughts }] of Object.entries(WIRES))
  test(`thoughts count once in every output: ${name} [G2] [C4]`, async ({ place }) => {
    const server = await WireServer.start(streams(wire), streams(wire));
    onTestFinished(() => server.stop());
    const model = name.startsWith('Gemini')
      ? []
      : ['-m', name.startsWith('Anthropic') ? 'claude-x' : 'gpt-x'];

    const json = await place.run(prompt('go', '-o', 'json', ...model), { env: env(server.url) });
    const { models } = JSON.parse(json.stdout).stats;
    const [tokens] = Object.values(models).map((each) => Object(each).tokens);
    expect(tokens).toMatchObject({ prompt: 100, candidates: 30 - thoughts, thoughts, total: 130 });

    const stream = await place.run(streaming('go', ...model), { env: env(server.url) });
    expect(resultOf(stream)['stats']).toMatchObject({
      input_tokens: 100,
      output_tokens: 30,
      total_tokens: 130,
    });

    const { lines } = await place.run(['stats', '--json']);
    expect(lines[0]).toMatchObject({ byModel: [{ requests: 2, inputTokens: 200, outputTokens: 60 }] });
  });
