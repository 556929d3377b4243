/** One value may not be larger: whoever sends more does not send tool calls. */
const VALUE_BYTES_MAX = 64 * 1024 * 1024;

export type Framed =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly problem: string };

/**
 * JSON values from a stream, one per line. A value that spans lines (a pretty
 * list) is one too: a line that leaves a bracket or a string open goes on in the
 * next. Lines end at line feeds only; other separators are part of the text.
 */
export async function* jsonValues(source: AsyncIterable<Buffer | string>): AsyncGenerator<Framed> {
  const decoder = new TextDecoder();
  let buffered = '';
  let value = '';
  const line = function* (text: string): Generator<Framed> {
    if (value === '' && text.trim() === '') return;
    value += value === '' ? text : `\n${text}`;
    if (value.length > VALUE_BYTES_MAX) {
      value = '';
      yield { ok: false, problem: `a value is longer than ${VALUE_BYTES_MAX} characters` };
      return;
    }
    if (isOpen(value)) return;
    yield parse(value);
    value = '';
  };
  for await (const chunk of source) {
    buffered += typeof chunk === 'string' ? chunk : decoder.decode(chunk, { stream: true });
    let from = 0;
    for (let end = buffered.indexOf('\n'); end >= 0; end = buffered.indexOf('\n', from)) {
      yield* line(buffered.slice(from, end).replace(/\r$/, ''));
      from = end + 1;
    }
    buffered = buffered.slice(from);
  }
  yield* line(buffered);
  if (value.trim() !== '') yield parse(value);
}

function parse(text: string): Framed {
  try {
    return { ok: true, value: JSON.parse(text) as unknown };
  } catch (thrown) {
    return { ok: false, problem: thrown instanceof Error ? thrown.message : String(thrown) };
  }
}

/** Whether a bracket is still open at the end. A string cannot span lines in JSON, so an unclosed one ends with its line. */
function isOpen(text: string): boolean {
  let depth = 0;
  let inString = false;
  for (let i = 0; i < text.length; i++) {
    const character = text[i];
    if (inString) {
      if (character === '\\') i++;
      else if (character === '"') inString = false;
      else if (character === '\n') return false;
    } else if (character === '"') inString = true;
    else if (character === '[' || character === '{') depth++;
    else if (character === ']' || character === '}') depth--;
  }
  return depth > 0 && !inString;
}
