import type { grammars } from './grammars.js';
import type { Layer } from './layers.js';
import type { Role } from './styled.js';

/** Longer ones are data, not something that a person reads for its syntax. */
const LINE_CHARS_MAX = 1_000;
const CODE_CHARS_MAX = 60_000;

let highlighter: typeof grammars | null = null;

/** Grammars are many; they are loaded once the first screen is drawn. Until then there are no colours of syntax. */
export async function loadGrammars(): Promise<void> {
  highlighter ??= (await import('./grammars.js')).grammars;
}

/** What the parts of each line are, in a language or a file's ending that is known; else nothing. */
export function highlighted(lines: readonly string[], language: string): readonly (readonly Layer[])[] {
  const known = highlighter?.registered(language) === true;
  const chars = lines.reduce((sum, line) => sum + line.length, 0);
  if (!highlighter || !known || chars > CODE_CHARS_MAX || lines.some((line) => line.length > LINE_CHARS_MAX))
    return lines.map(() => []);
  const painter = new Painter(lines.length);
  painter.walk(highlighter.highlight(language, lines.join('\n')).children, undefined);
  return painter.lines;
}

/** The name of a language by the name of a file. */
export function languageOf(fileName: string): string {
  const name = fileName.split(/[/\\]/).at(-1)?.toLowerCase() ?? '';
  if (name === 'makefile' || name === 'dockerfile') return name;
  const ending = /\.([a-z0-9+]+)$/.exec(name)?.[1] ?? '';
  return ENDINGS[ending] ?? ending;
}

const ENDINGS: { readonly [ending: string]: string } = {
  tsx: 'typescript',
  mts: 'typescript',
  cts: 'typescript',
  jsx: 'javascript',
  mjs: 'javascript',
  cjs: 'javascript',
  toml: 'ini',
  bashrc: 'bash',
  h: 'c',
  hpp: 'cpp',
  cc: 'cpp',
};

type Node = {
  readonly type: string;
  readonly value?: string;
  readonly properties?: { readonly className?: unknown };
  readonly children?: readonly Node[];
};

class Painter {
  readonly lines: Layer[][];
  #line = 0;
  #at = 0;

  constructor(count: number) {
    this.lines = Array.from({ length: count }, () => []);
  }

  walk(nodes: readonly Node[], role: Role | undefined): void {
    for (const { type, value, properties, children } of nodes) {
      if (type === 'text') this.#text(value ?? '', role);
      else this.walk(children ?? [], roleOf(properties?.className) ?? role);
    }
  }

  #text(text: string, role: Role | undefined): void {
    for (const [index, piece] of text.split('\n').entries()) {
      if (index > 0) {
        this.#line++;
        this.#at = 0;
      }
      const to = this.#at + piece.length;
      if (role && piece !== '') this.lines[this.#line]?.push({ from: this.#at, to, role });
      this.#at = to;
    }
  }
}

function roleOf(className: unknown): Role | undefined {
  const name: unknown = Array.isArray(className) ? className[0] : undefined;
  return typeof name === 'string' ? ROLES[name.replace(/^hljs-/, '')] : undefined;
}

const ROLES: { readonly [name: string]: Role } = {
  keyword: 'keyword',
  built_in: 'name',
  type: 'name',
  title: 'name',
  attr: 'name',
  attribute: 'name',
  name: 'keyword',
  tag: 'keyword',
  'selector-tag': 'keyword',
  section: 'heading',
  string: 'string',
  regexp: 'string',
  number: 'number',
  literal: 'number',
  variable: 'number',
  comment: 'comment',
  quote: 'comment',
  meta: 'comment',
};
