/** The fields at the head of a Markdown file, between two lines of `---`, and the text beneath. */
export type FrontMatter = { readonly fields: ReadonlyMap<string, string>; readonly body: string };

/**
 * Of YAML only what such heads are made of: names with a text, which may be quoted, folded (`>`), kept as it is (`|`) or
 * continue in indented lines. Lists and nested fields are passed over. null if there is no head.
 */
export function readFrontMatter(text: string): FrontMatter | null {
  const lines = text.split(/\r?\n/);
  if (lines[0]?.trimEnd() !== '---') return null;
  const end = lines.slice(0, HEAD_LINES_MAX).findIndex((line, at) => at > 0 && line.trimEnd() === '---');
  if (end === -1) return null;
  return {
    fields: fieldsOf(lines.slice(1, end)),
    body: lines
      .slice(end + 1)
      .join('\n')
      .trim(),
  };
}

const HEAD_LINES_MAX = 200; // a head is short; what is longer is something else
const FIELD = /^([A-Za-z][\w-]*):(?:[ \t]+(.*))?$/;

function fieldsOf(lines: readonly string[]): Map<string, string> {
  const fields = new Map<string, string>();
  for (const [at, line] of lines.entries()) {
    const [, name, value = ''] = FIELD.exec(line.trimEnd()) ?? [];
    if (name === undefined) continue;
    const more = lines.slice(at + 1);
    const next = more.findIndex((other) => /^\S/.test(other));
    const text = valueOf(value.trim(), next === -1 ? more : more.slice(0, next));
    if (text !== null) fields.set(name, text);
  }
  return fields;
}

function valueOf(value: string, indented: readonly string[]): string | null {
  const lines = indented.map((line) => line.trim());
  if (/^\|[+-]?$/.test(value)) return lines.join('\n').trim();
  if (/^>[+-]?$/.test(value)) return folded(lines);
  const whole = folded([value, ...lines]);
  const [quote] = whole;
  if (quote === '"' || quote === "'") return unquoted(whole, quote);
  if (value === '' && lines.some((line) => /^- |^[\w-]+:( |$)/.test(line))) return null;
  return whole.replace(/(?:^|\s)#.*$/, '').trimEnd();
}

const folded = (lines: readonly string[]): string => lines.filter((line) => line !== '').join(' ');

/** Up to the closing quote; null if there is none, or what follows it is no comment. */
function unquoted(text: string, quote: '"' | "'"): string | null {
  const pattern = quote === '"' ? /^"((?:[^"\\]|\\.)*)"\s*(?:#.*)?$/ : /^'((?:[^']|'')*)'\s*(?:#.*)?$/;
  const inner = pattern.exec(text)?.[1];
  if (inner === undefined) return null;
  return quote === "'"
    ? inner.replaceAll("''", "'")
    : inner.replace(/\\(.)/g, (_, escaped: string) => ESCAPES[escaped] ?? escaped);
}

const ESCAPES: { readonly [letter: string]: string } = { n: '\n', t: '\t' };
