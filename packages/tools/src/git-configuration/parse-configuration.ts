/** One setting of a Git configuration file. */
export type Setting = {
  /** `core.fsmonitor`, `remote.origin.url`: section and key in lower case, what stands between them as written. */
  readonly name: string;
  readonly section: string;
  readonly subsection: string | null;
  readonly key: string;
  /** A key without `=` is "true". */
  readonly value: string;
};

export type Parsed =
  | { readonly ok: true; readonly settings: readonly Setting[] }
  | { readonly ok: false; readonly line: number };

/** Reads the text as git does. What git would refuse is refused here, too. */
export function parseConfiguration(text: string): Parsed {
  const reader = new Reader(text.startsWith('\uFEFF') ? text.slice(1) : text);
  const settings: Setting[] = [];
  let section: Pick<Setting, 'section' | 'subsection'> | null = null;
  try {
    while (reader.toNextItem()) {
      if (reader.takes('[')) section = reader.readHeader();
      else settings.push(named(section ?? reader.refuse(), reader.readSetting()));
    }
  } catch (error) {
    if (error instanceof Refused) return { ok: false, line: error.line };
    throw error;
  }
  return { ok: true, settings };
}

const named = (
  { section, subsection }: Pick<Setting, 'section' | 'subsection'>,
  { key, value }: Pick<Setting, 'key' | 'value'>,
): Setting => ({
  name: [section, ...(subsection === null ? [] : [subsection]), key].join('.'),
  section,
  subsection,
  key,
  value,
});

class Refused extends Error {
  constructor(readonly line: number) {
    super(`line ${line}`);
  }
}

const ESCAPES: { readonly [character: string]: string } = { n: '\n', t: '\t', b: '\b', '"': '"', '\\': '\\' };

class Reader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text.replaceAll('\r\n', '\n');
  }

  /** Goes past blanks and comments; false at the end. */
  toNextItem(): boolean {
    this.#take(/(?:\s|[#;][^\n]*)*/y);
    return this.#at < this.#text.length;
  }

  takes(character: string): boolean {
    const isThere = this.#text[this.#at] === character;
    if (isThere) this.#at += 1;
    return isThere;
  }

  refuse(): never {
    throw new Refused(this.#text.slice(0, this.#at).split('\n').length);
  }

  /** `[section]`, `[section "subsection"]`, or the older `[section.subsection]`, which is all lower case. */
  readHeader(): Pick<Setting, 'section' | 'subsection'> {
    const name = this.#take(/[A-Za-z0-9.-]+/y)?.toLowerCase() ?? this.refuse();
    const quoted = this.#take(/[ \t]+"(?:\\[^\n]|[^"\\\n])*"/y);
    if (!this.takes(']')) this.refuse();
    if (quoted !== null) {
      const subsection = quoted.trimStart().slice(1, -1).replace(/\\(.)/gs, '$1');
      return { section: name, subsection };
    }
    const dot = name.indexOf('.');
    if (dot === -1) return { section: name, subsection: null };
    return { section: name.slice(0, dot), subsection: name.slice(dot + 1) };
  }

  readSetting(): Pick<Setting, 'key' | 'value'> {
    const key = this.#take(/[A-Za-z][A-Za-z0-9-]*/y)?.toLowerCase() ?? this.refuse();
    this.#take(/[ \t]*/y);
    if (this.#at >= this.#text.length || this.takes('\n')) return { key, value: 'true' };
    // A comment may follow a key in newer versions, and is refused by older ones.
    if (!this.takes('=')) this.refuse();
    return { key, value: this.#readValue() };
  }

  #readValue(): string {
    let value = '';
    let kept = 0;
    let isQuoted = false;
    this.#take(/[ \t]*/y);
    for (;;) {
      const character = this.#text[this.#at];
      this.#at += 1;
      if (character === undefined || character === '\n') {
        if (isQuoted) this.refuse();
        return value.slice(0, kept);
      }
      if (character === '\0') this.refuse();
      if (character === '"') {
        isQuoted = !isQuoted;
        kept = value.length;
      } else if (character === '\\') {
        if (this.takes('\n')) continue;
        const escaped = this.#text[this.#at] ?? '';
        value += Object.hasOwn(ESCAPES, escaped) ? ESCAPES[escaped] : this.refuse();
        this.#at += 1;
        kept = value.length;
      } else if (!isQuoted && (character === '#' || character === ';')) {
        this.#take(/[^\n]*/y);
      } else {
        value += character;
        // Blanks count only if something follows them.
        if (isQuoted || !/\s/.test(character)) kept = value.length;
      }
    }
  }

  #take(pattern: RegExp): string | null {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text)?.[0] ?? null;
    this.#at += found?.length ?? 0;
    return found;
  }
}
