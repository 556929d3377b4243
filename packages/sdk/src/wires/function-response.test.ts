import { expect, test } from 'vitest';
import { convertToFunctionResponse, errorResponse, type Part } from './function-response.js';

const response = (response: Record<string, unknown>): Part => ({
  functionResponse: { id: 'c1', name: 'look', response },
});
const succeeded = response({ output: 'Tool execution succeeded.' });
const convert = (content: Parameters<typeof convertToFunctionResponse>[2]) =>
  convertToFunctionResponse('look', 'c1', content);
/** What a careless tool may return, whatever its type says. */
const convertCareless = (content: unknown) => convert(JSON.parse(JSON.stringify(content)));

const png = { inlineData: { mimeType: 'image/png', data: 'AAAA' } };

/** The members that matter, as `@google/genai` declares them. */
enum TheirLanguage {
  PYTHON = 'PYTHON',
}
interface TheirPart {
  text?: string;
  thought?: boolean;
  inlineData?: { data?: string; displayName?: string; mimeType?: string };
  executableCode?: { code?: string; language?: TheirLanguage };
  functionResponse?: {
    id?: string;
    name?: string;
    response?: Record<string, unknown>;
    willContinue?: boolean;
  };
}

test('parts come from and go to programs that use the types of @google/genai [E2]', () => {
  const theirs: TheirPart[] = [
    { text: 'a' },
    { executableCode: { code: '1', language: TheirLanguage.PYTHON } },
  ];
  const ours: TheirPart | TheirPart[] = convertToFunctionResponse('look', 'c1', theirs);
  expect(ours).toEqual([succeeded, ...theirs]);
});

test('a string and a text part give a single part with the output [L4]', () => {
  expect(convert('seen')).toEqual(response({ output: 'seen' }));
  expect(convert('')).toEqual(response({ output: '' }));
  expect(convert({ text: 'seen' })).toEqual(response({ output: 'seen' }));
  expect(convert({ text: '' })).toEqual(response({ output: '' }));
});

test('a list of one is unwrapped first [L4]', () => {
  expect(convert(['seen'])).toEqual(response({ output: 'seen' }));
  expect(convert([{ text: 'seen' }])).toEqual(response({ output: 'seen' }));
  expect(convert([png])).toEqual(convert(png));
  expect(convert([''])).toEqual(response({ output: '' }));
});

test('several parts follow the news that the tool succeeded, an empty list is that news alone [L4]', () => {
  expect(convert([{ text: 'a' }, png])).toEqual([succeeded, { text: 'a' }, png]);
  expect(convert(['a', 'b'])).toEqual([succeeded, { text: 'a' }, { text: 'b' }]);
  expect(convert([])).toEqual([succeeded]);
});

test('a function response with content gives its joined text under our id and name [L4]', () => {
  const foreign = (content: unknown): Part => ({
    functionResponse: { id: 'theirs', name: 'other', response: { content } },
  });
  expect(convert(foreign([{ text: 'one ' }, png, { text: 'two' }]))).toEqual(response({ output: 'one two' }));
  expect(convert(foreign('whole'))).toEqual(response({ output: 'whole' }));
  expect(convert(foreign({ text: 'single' }))).toEqual(response({ output: 'single' }));
  expect(convert(foreign([]))).toEqual(response({ output: '' }));
});

test('a function response without content is passed on as it is [L4]', () => {
  const foreign = { functionResponse: { id: 'theirs', name: 'other', response: { rows: 3 } } };
  expect(convert(foreign)).toEqual([foreign]);
  const notText = { functionResponse: { id: 'theirs', name: 'other', response: { content: { rows: 3 } } } };
  expect(convert(notText)).toEqual([notText]);
  expect(convert({ functionResponse: { name: 'other' } })).toEqual([{ functionResponse: { name: 'other' } }]);
});

test('binary content is described and follows its description [L4]', () => {
  expect(convert(png)).toEqual([
    response({ output: 'Binary content of type image/png was processed.' }),
    png,
  ]);
  const file = { fileData: { mimeType: 'application/pdf', fileUri: 'gs://a/b.pdf' } };
  expect(convert(file)).toEqual([
    response({ output: 'Binary content of type application/pdf was processed.' }),
    file,
  ]);
  const unknown = { inlineData: { data: 'AAAA' } };
  expect(convert(unknown)).toEqual([
    response({ output: 'Binary content of type unknown was processed.' }),
    unknown,
  ]);
});

test('any other object follows the news that the tool succeeded [L4]', () => {
  const call = { functionCall: { name: 'next', args: {} } };
  expect(convert(call)).toEqual([succeeded, call]);
  expect(convert({})).toEqual([succeeded, {}]);
  expect(convert({ executableCode: { code: '1' } })).toEqual([succeeded, { executableCode: { code: '1' } }]);
});

test('what no wire would take is not lost: it travels as its JSON text', () => {
  expect(convertCareless(42)).toEqual(response({ output: '42' }));
  expect(convertCareless({ text: 5 })).toEqual(response({ output: '{"text":5}' }));
  expect(convertCareless({ inlineData: 'AAAA' })).toEqual(response({ output: '{"inlineData":"AAAA"}' }));
  expect(convertCareless([1, null, ['x']])).toEqual([
    succeeded,
    { text: '1' },
    { text: 'null' },
    { text: '["x"]' },
  ]);
});

test('an error gives a single part with the message [L4]', () => {
  expect(errorResponse('c1', 'look', 'No light.')).toEqual(response({ error: 'No light.' }));
});
