/**
 * How a model answers in the formats that the program speaks: with one call, or with words where there is none.
 * @typedef {{ readonly name: string, readonly args: object }} Wanted
 * @typedef {object} Wire
 * @property {(url: string) => NodeJS.ProcessEnv} environment by which the program finds it
 * @property {(call: Wanted | undefined) => readonly object[]} answer
 */

/** @type {{ readonly [name: string]: Wire }} */
export const WIRES = {
  gemini: {
    environment: (url) => ({ GEMINI_API_KEY: 'none', GOOGLE_GEMINI_BASE_URL: url }),
    answer: (call) => [
      {
        candidates: [
          {
            content: { role: 'model', parts: [call ? { functionCall: call } : { text: 'Done.' }] },
            finishReason: 'STOP',
          },
        ],
        usageMetadata: { promptTokenCount: 1, candidatesTokenCount: 1, totalTokenCount: 2 },
      },
    ],
  },
  openai: {
    environment: (url) => ({ OPENAI_API_KEY: 'none', OPENAI_BASE_URL: `${url}/v1` }),
    answer: (call) => [
      {
        choices: [
          {
            index: 0,
            delta: call
              ? { tool_calls: [{ index: 0, id: 'a', type: 'function', function: asText(call) }] }
              : { content: 'Done.' },
          },
        ],
      },
      { choices: [{ index: 0, delta: {}, finish_reason: call ? 'tool_calls' : 'stop' }] },
    ],
  },
  anthropic: {
    environment: (url) => ({ ANTHROPIC_API_KEY: 'none', ANTHROPIC_BASE_URL: url }),
    answer: (call) => [
      {
        type: 'message_start',
        message: { id: 'a', role: 'assistant', content: [], usage: { input_tokens: 1 } },
      },
      {
        type: 'content_block_start',
        index: 0,
        content_block: call
          ? { type: 'tool_use', id: 'a', name: call.name, input: {} }
          : { type: 'text', text: '' },
      },
      {
        type: 'content_block_delta',
        index: 0,
        delta: call
          ? { type: 'input_json_delta', partial_json: JSON.stringify(call.args) }
          : { type: 'text_delta', text: 'Done.' },
      },
      { type: 'content_block_stop', index: 0 },
      {
        type: 'message_delta',
        delta: { stop_reason: call ? 'tool_use' : 'end_turn' },
        usage: { output_tokens: 1 },
      },
      { type: 'message_stop' },
    ],
  },
};

const asText = (/** @type {Wanted} */ { name, args }) => ({ name, arguments: JSON.stringify(args) });
