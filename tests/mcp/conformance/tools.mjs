// What the official conformance suite wants a server to offer, as tools of ours: its server scenarios then go through our
// whole pipeline. Used by serve.ts.
import { setTimeout as delay } from 'node:timers/promises';

const PNG =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const WAV = 'UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQAAAAA=';
const image = { inlineData: { mimeType: 'image/png', data: PNG } };
const resource = { inlineData: { mimeType: 'text/plain', data: 'VGhpcyBpcyBhIHJlc291cmNlLg==' } };

/** @typedef {{ progress: (done: number, total: number) => void }} Running */

/**
 * @param {string} name
 * @param {(context: Running) => unknown} run
 * @param {object} inputSchema
 */
const tool = (name, run, inputSchema = { type: 'object', properties: {} }) => ({
  name,
  displayName: name,
  description: `Wanted by the conformance suite: ${name}.`,
  kind: 'think',
  inputSchema,
  canUpdateOutput: false,
  /** @param {object} args */
  check: (args) => ({ ok: true, args }),
  plan: () => ({ title: name, resources: [], repeat: 'safe' }),
  run: async (/** @type {object} */ _, /** @type {Running} */ context) => {
    const llmContent = await run(context);
    return { llmContent, returnDisplay: '' };
  },
});

export default [
  tool('test_simple_text', () => 'This is a simple text response for testing.'),
  tool('test_image_content', () => [image]),
  tool('test_audio_content', () => [{ inlineData: { mimeType: 'audio/wav', data: WAV } }]),
  tool('test_embedded_resource', () => [resource]),
  tool('test_multiple_content_types', () => ['Multiple content types test:', image, resource]),
  tool('test_error_handling', () => {
    throw new Error('This tool intentionally returns an error for testing');
  }),
  tool('test_tool_with_progress', async ({ progress }) => {
    for (const done of [0, 50, 100]) {
      progress(done, 100);
      await delay(50);
    }
    return 'Done.';
  }),
  tool('json_schema_2020_12_tool', () => 'Done.', {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    type: 'object',
    $defs: {
      address: { type: 'object', properties: { street: { type: 'string' }, city: { type: 'string' } } },
    },
    properties: { name: { type: 'string' }, address: { $ref: '#/$defs/address' } },
    additionalProperties: false,
  }),
];
