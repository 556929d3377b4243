import { expect, test } from 'vitest';
import {
  convertToFunctionResponse,
  errorResponse,
  type Part,
  type PartListUnion,
} from './function-response.js';
import { toAnthropicToolResult, toOpenAiImageMessage, toOpenAiToolMessage } from './other-wires.js';

const png = { inlineData: { mimeType: 'image/png', data: 'AAAA' } };
const pdf = { inlineData: { mimeType: 'application/pdf', data: 'BBBB' } };
const wav = { inlineData: { mimeType: 'audio/wav', data: 'CCCC' } };

const of = (...responseParts: Part[]) => ({ callId: 'c1', responseParts });
const result = (content: PartListUnion) => of(...[convertToFunctionResponse('look', 'c1', content)].flat());

test('text is the same on all wires [L4]', () => {
  expect(toOpenAiToolMessage(result('seen'))).toEqual({ role: 'tool', tool_call_id: 'c1', content: 'seen' });
  expect(toAnthropicToolResult(result('seen'))).toEqual({
    type: 'tool_result',
    tool_use_id: 'c1',
    content: 'seen',
  });
});

test('an error is marked where the wire has a mark, and in words where it has none [L4]', () => {
  const failed = of(errorResponse('c1', 'look', 'No light.'));
  expect(toOpenAiToolMessage(failed).content).toBe('Error: No light.');
  expect(toAnthropicToolResult(failed)).toEqual({
    type: 'tool_result',
    tool_use_id: 'c1',
    content: 'No light.',
    is_error: true,
  });
});

test('partial output follows the error [L5]', () => {
  const stopped = of({ functionResponse: { response: { error: 'Stopped.', output: 'half' } } });
  expect(toOpenAiToolMessage(stopped).content).toBe('Error: Stopped.\nhalf');
  expect(toAnthropicToolResult(stopped)).toMatchObject({ content: 'Stopped.\nhalf', is_error: true });
});

test('Anthropic takes images and PDF files inside the result [L4]', () => {
  expect(toAnthropicToolResult(result([png, pdf])).content).toEqual([
    { type: 'text', text: 'Tool execution succeeded.' },
    { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AAAA' } },
    { type: 'document', source: { type: 'base64', media_type: 'application/pdf', data: 'BBBB' } },
  ]);
});

test('no empty text block is sent to Anthropic', () => {
  expect(toAnthropicToolResult(result([{ text: '' }, png])).content).toHaveLength(2);
});

test('an OpenAI tool message describes an image once, and the image travels in a message after it [L4]', () => {
  const seen = result(png);
  expect(toOpenAiToolMessage(seen).content).toBe('Binary content of type image/png was processed.');
  expect(toOpenAiImageMessage(seen)).toEqual({
    role: 'user',
    content: [
      { type: 'text', text: 'From the tool call c1:' },
      { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } },
    ],
  });
  expect(toOpenAiImageMessage(result([wav, 'text']))).toBeNull();
});

test('what a wire does not take is reported in words [L4]', () => {
  const file = { fileData: { mimeType: 'image/png', fileUri: 'https://files.example/1' } };
  expect(toOpenAiToolMessage(result(['a', wav, file])).content).toBe(
    [
      'Tool execution succeeded.',
      'a',
      'Binary content of type audio/wav was processed.',
      'File of type image/png: https://files.example/1',
    ].join('\n'),
  );
  expect(toAnthropicToolResult(result(wav)).content).toBe('Binary content of type audio/wav was processed.');
});

test("another tool's own response is sent as its JSON", () => {
  const foreign = result({ functionResponse: { name: 'other', response: { rows: 3, output: 'x' } } });
  expect(toOpenAiToolMessage(foreign).content).toBe('{"rows":3,"output":"x"}');
});
