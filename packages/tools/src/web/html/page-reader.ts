import { beginning } from './beginning.js';
import { MarkdownWriter } from './markdown-writer.js';
import { type Attributes, type Omission, omissionOf } from './omission.js';
import { Table } from './table.js';

const DEPTH_MAX = 1_000; // browsers stop at 512; beyond this the parser takes longer with every element
const NESTED_TABLES_MAX = 5; // each is written once more for the table around it
const ALT_CHARS_MAX = 200;

type Section = { readonly from: number; readonly to: number; readonly chars: number };
type Closing = (() => void) | null;

/** Follows the tags and texts of a page in one go, and writes Markdown of them. */
export class PageReader {
  title: string | null = null;
  /** Characters of what was taken for the surroundings of the content. */
  surroundingChars = 0;
  isTooDeep = false;
  readonly #surroundings: 'kept' | 'omitted';
  #base: URL;
  readonly #page = new MarkdownWriter();
  #writer = this.#page;
  readonly #closings: Closing[] = [];
  readonly #tables: Table[] = [];
  readonly #lists: { next: number | null }[] = [];
  readonly #mains: Section[] = [];
  readonly #articles: Section[] = [];
  #omission: Omission | null = null;
  #contentDepth = 0;
  /** How many links and headings are open: in them there are no blocks. */
  #lineDepth = 0;
  /** The text of the title or of code, which is taken as it stands. */
  #verbatim: string[] | null = null;
  #language = '';

  constructor(base: URL, surroundings: 'kept' | 'omitted') {
    this.#base = base;
    this.#surroundings = surroundings;
  }

  get chars(): number {
    return this.#page.chars;
  }

  /** The content alone, where the page marks it; else everything. */
  markdown(): string {
    const mostly = ({ chars }: Section) => chars * 2 >= this.#page.chars;
    const content = this.#mains.find(mostly) ?? this.#articles.find(mostly);
    return content ? this.#page.textOf(content.from, content.to) : this.#page.textOf();
  }

  readonly onopentag = (tag: string, attributes: Attributes): void => {
    if (this.#closings.length >= DEPTH_MAX) this.isTooDeep = true;
    this.#closings.push(this.isTooDeep ? null : this.#enter(tag, attributes));
  };

  readonly onclosetag = (): void => this.#closings.pop()?.();

  readonly ontext = (text: string): void => {
    if (this.isTooDeep) return;
    if (this.#omission === 'surroundings') this.surroundingChars += text.trim().length;
    if (this.#omission !== null) return;
    if (this.#verbatim !== null) this.#verbatim.push(text);
    else this.#writer.text(text);
  };

  #enter(tag: string, attributes: Attributes): Closing {
    if (this.#omission !== null) return null;
    const out = omissionOf(tag, attributes, this.#contentDepth > 0 ? 'in content' : 'around');
    if (out === 'unseen' || (out === 'surroundings' && this.#surroundings === 'omitted')) {
      this.#omission = out;
      return () => {
        this.#omission = null;
      };
    }
    if (this.#verbatim !== null) return this.#enterInVerbatim(tag, attributes);
    switch (tag) {
      case 'title':
        return this.#takeVerbatim((text) => {
          this.title ??= text.replace(/\s+/g, ' ').trim() || null;
        });
      case 'base':
        this.#base = this.#resolved(attributes['href']) ?? this.#base;
        return null;
      case 'br':
        if (this.#lineDepth > 0) this.#writer.blank();
        else this.#writer.lineBreak();
        return null;
      case 'hr':
        this.#break(2);
        if (this.#lineDepth === 0) this.#writer.lines(['---']);
        return () => this.#break(2);
      case 'img':
        this.#image(attributes);
        return null;
      case 'a':
        return this.#link(attributes);
      case 'b':
      case 'strong':
        return this.#emphasis('**');
      case 'i':
      case 'em':
        return this.#emphasis('*');
      case 'code':
      case 'kbd':
      case 'samp':
      case 'tt':
        return this.#takeVerbatim((text) => this.#inlineCode(text));
      case 'pre':
        this.#language = languageOf(attributes);
        return this.#takeVerbatim((text) => this.#codeBlock(text));
      case 'h1':
      case 'h2':
      case 'h3':
      case 'h4':
      case 'h5':
      case 'h6':
        return this.#heading(Number(tag.slice(1)));
      case 'blockquote':
        return this.#indented('> ', '> ', 2);
      case 'ul':
        return this.#list(null);
      case 'ol':
        return this.#list(Number.parseInt(attributes['start'] ?? '1', 10) || 1);
      case 'li':
        return this.#item();
      case 'dd':
        return this.#indented(': ', '  ', 1);
      case 'table':
        return this.#table();
      case 'tr':
        this.#tables.at(-1)?.row();
        return this.#block(1);
      case 'td':
      case 'th':
        return this.#cell(attributes);
      case 'main':
        return this.#section(this.#mains);
      case 'article':
        return this.#section(this.#articles);
      case 'p':
      case 'dl':
      case 'figure':
        return this.#block(2);
      default:
        if (attributes['role'] === 'main') return this.#section(this.#mains);
        return LINES.has(tag) ? this.#block(1) : null;
    }
  }

  /** In code, tags only colour the text; some of them stand for lines. */
  #enterInVerbatim(tag: string, attributes: Attributes): Closing {
    const gathered = this.#verbatim;
    if (tag === 'code') this.#language ||= languageOf(attributes);
    if (tag === 'br') gathered?.push('\n');
    if (!LINES.has(tag) && tag !== 'p' && tag !== 'li' && tag !== 'tr') return null;
    return () => {
      if (gathered?.at(-1)?.endsWith('\n') === false) gathered.push('\n');
    };
  }

  #takeVerbatim(done: (text: string) => void): Closing {
    const gathered: string[] = [];
    this.#verbatim = gathered;
    return () => {
      this.#verbatim = null;
      done(gathered.join(''));
    };
  }

  #inlineCode(text: string): void {
    const code = text.replace(/\s+/g, ' ').trim();
    if (code !== '') this.#writer.text(code.includes('`') ? `\`\` ${code} \`\`` : `\`${code}\``);
  }

  #codeBlock(text: string): void {
    const code = text.replace(/\r\n?/g, '\n').replace(/^\n/, '').trimEnd();
    if (this.#lineDepth > 0) return this.#inlineCode(code);
    if (code === '') return;
    this.#tables.at(-1)?.holdsBlocks();
    let fence = '```';
    for (const [run] of code.matchAll(/`{3,}/g)) if (run.length >= fence.length) fence = `${run}\``;
    this.#break(2);
    this.#writer.lines([`${fence}${this.#language}`, ...code.split('\n'), fence]);
    this.#break(2);
  }

  #image({ alt = '', src }: Attributes): void {
    const words = beginning(alt.replace(/\s+/g, ' ').trim(), ALT_CHARS_MAX);
    const source = this.#resolved(src);
    if (words !== '') this.#writer.text(source ? `![${words}](${source.href})` : words);
  }

  #link({ href }: Attributes): Closing {
    const isElsewhere = href !== undefined && !href.startsWith('#');
    const target = isElsewhere && this.#lineDepth === 0 ? this.#resolved(href) : null;
    return target ? this.#marked('[', `](${target.href})`) : null;
  }

  /** Links and emphasis: what they mark is one line, whatever is in it. */
  #marked(opening: string, closing: string): Closing {
    this.#writer.open(opening);
    this.#lineDepth += 1;
    return () => {
      this.#lineDepth -= 1;
      this.#writer.close(closing);
    };
  }

  #emphasis(mark: string): Closing {
    const writer = this.#writer;
    writer.open(mark);
    return () => writer.close(mark);
  }

  #heading(level: number): Closing {
    if (this.#lineDepth > 0) return null;
    this.#tables.at(-1)?.holdsBlocks();
    const end = this.#indented(`${'#'.repeat(level)} `, '', 2);
    this.#lineDepth += 1;
    return () => {
      this.#lineDepth -= 1;
      end?.();
    };
  }

  #list(next: number | null): Closing {
    this.#lists.push({ next });
    const end = this.#block(this.#lists.length === 1 ? 2 : 1);
    return () => {
      this.#lists.pop();
      end?.();
    };
  }

  #item(): Closing {
    const list = this.#lists.at(-1);
    const number = list?.next ?? null;
    if (list && number !== null) list.next = number + 1;
    const marker = number === null ? '- ' : `${number}. `;
    return this.#indented(marker, ' '.repeat(marker.length), 1);
  }

  #table(): Closing {
    const around = this.#tables.at(-1);
    around?.holdsBlocks();
    if (this.#lineDepth > 0 || this.#tables.length >= NESTED_TABLES_MAX) return this.#block(1);
    const table = new Table();
    this.#tables.push(table);
    return () => {
      this.#tables.pop();
      table.writeTo(this.#writer);
    };
  }

  #cell({ colspan = '1' }: Attributes): Closing {
    const table = this.#tables.at(-1);
    if (!table || this.#lineDepth > 0) return this.#block(1);
    const outer = this.#writer;
    const cell = new MarkdownWriter();
    this.#writer = cell;
    return () => {
      this.#writer = outer;
      table.cell(cell.textOf(), Number.parseInt(colspan, 10) || 1);
    };
  }

  #section(sections: Section[]): Closing {
    const end = this.#block(2);
    const writer = this.#writer;
    const from = writer.at;
    const before = writer.chars;
    this.#contentDepth += 1;
    return () => {
      this.#contentDepth -= 1;
      // What lies in a cell of a table is not yet on the page.
      if (writer === this.#page) sections.push({ from, to: writer.at, chars: writer.chars - before });
      end?.();
    };
  }

  #indented(marker: string, prefix: string, lines: 1 | 2): Closing {
    if (this.#lineDepth > 0) return this.#block(lines);
    const writer = this.#writer;
    writer.break(lines);
    writer.indent(marker, prefix);
    return () => {
      writer.outdent();
      writer.break(lines);
    };
  }

  #block(lines: 1 | 2): Closing {
    this.#break(lines);
    return () => this.#break(lines);
  }

  #break(lines: 1 | 2): void {
    if (this.#lineDepth > 0) this.#writer.blank();
    else this.#writer.break(lines);
  }

  #resolved(address: string | undefined): URL | null {
    if (address === undefined || !URL.canParse(address, this.#base.href)) return null;
    const url = new URL(address, this.#base);
    return url.protocol === 'http:' || url.protocol === 'https:' ? url : null;
  }
}

/** Elements that begin and end a line, and mean nothing else here. */
const LINES = new Set([
  'address',
  'aside',
  'body',
  'caption',
  'details',
  'div',
  'dt',
  'fieldset',
  'figcaption',
  'footer',
  'form',
  'header',
  'hgroup',
  'legend',
  'nav',
  'option',
  'section',
  'summary',
]);

const languageOf = ({ class: names = '' }: Attributes): string =>
  /(?:^|\s)(?:language|lang|highlight-source|highlight)-([\w+#]+)/.exec(names)?.[1] ?? '';
