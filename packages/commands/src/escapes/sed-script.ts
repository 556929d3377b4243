/**
 * Why a sed script does more than print: it runs a command or writes a file.
 * null if it does neither; a script that is not understood is said to be so.
 */
export function sedScriptEscape(script: string): string | null {
  const reader = new SedReader(script);
  while (!reader.isAtEnd()) {
    const why = reader.readCommand();
    if (why !== null) return why;
  }
  return null;
}

/** A file that the text of a program names. */
export type NamedFile = { readonly path: string; readonly access: 'reads' | 'writes' };

/** The files that a script names (`1r file`, `w file`); as far as it is understood. */
export function sedScriptFiles(script: string): readonly NamedFile[] {
  const reader = new SedReader(script);
  while (!reader.isAtEnd()) if (reader.readCommand() === NOT_UNDERSTOOD) break;
  return reader.files;
}

const NOT_UNDERSTOOD = 'is a sed script that cannot be parsed';
const BRACKETS = /\[\^?\]?(?:\[[:.=][^\]]*[:.=]\]|[^\]\n])*\]/y;
/** Commands that neither run nor name anything, and what may follow them. */
const ARGUMENTS: readonly (readonly [commands: string, argument: RegExp])[] = [
  ['}=dDgGhHnNpPxzF', /(?:)/y],
  ['qQlL', /[ \t]*\d*/y],
  // GNU sed ends a label at a blank, and what follows is a command; others read on to the end of the line.
  [':btT', /[ \t]*[\w.-]*/y],
];
const HARMLESS_FILES = ['/dev/stdout', '/dev/stderr'];

class SedReader {
  readonly script: string;
  readonly files: NamedFile[] = [];
  #at = 0;
  /** Beyond it no bracket is closed, and none need be looked for. */
  readonly #lastBracket: number;

  constructor(script: string) {
    this.script = script;
    this.#lastBracket = script.lastIndexOf(']');
  }

  isAtEnd(): boolean {
    this.#take(/[\s;]*/y);
    return this.#at >= this.script.length;
  }

  readCommand(): string | null {
    if (!this.#skipAddresses()) return NOT_UNDERSTOOD;
    const command = this.script[this.#at];
    this.#at += 1;
    const argument = ARGUMENTS.find(([commands]) => commands.includes(command ?? ' '))?.[1];
    if (argument !== undefined) {
      this.#take(argument);
      return this.#endOfCommand();
    }
    switch (command) {
      case '{':
        return null;
      case 'r':
      case 'R':
        this.#fileNamed('reads');
        return null;
      case 'a':
      case 'i':
      case 'c':
        // The text continues over lines that end in a backslash.
        this.#take(/(?:\\[^]|[^\\\n])*(?:\\$)?/y);
        return null;
      case '#':
        this.#take(/[^\n]*/y);
        return null;
      case 's':
        return this.#readSubstitution();
      case 'y':
        return this.#skipDelimited('text', 'text') ? this.#endOfCommand() : NOT_UNDERSTOOD;
      case 'e':
        return 'runs another program (the sed command e)';
      case 'w':
      case 'W':
        return this.#readFileName();
      default:
        return NOT_UNDERSTOOD;
    }
  }

  #readSubstitution(): string | null {
    if (!this.#skipDelimited('expression', 'text')) return NOT_UNDERSTOOD;
    const flags = this.#take(/[gpIiMm0-9]*/y);
    const next = this.script[this.#at];
    if (next === 'e') return 'runs another program (the flag e of the sed command s)';
    if (next === 'w') {
      this.#at += 1;
      return this.#readFileName();
    }
    return flags === null ? NOT_UNDERSTOOD : this.#endOfCommand();
  }

  #readFileName(): string | null {
    const name = this.#fileNamed('writes');
    return HARMLESS_FILES.includes(name) ? null : `writes the file ${name} (the sed command w)`;
  }

  /** A name continues to the end of the line. */
  #fileNamed(access: NamedFile['access']): string {
    const path = this.#take(/[^\n]*/y)?.trim() ?? '';
    if (path !== '') this.files.push({ path, access });
    return path;
  }

  /** A `}` or `#` ends a command too, and is then read as one. */
  #endOfCommand(): string | null {
    return this.#take(/[ \t]*(?:[;\n]|$|(?=[}#]))/y) === null ? NOT_UNDERSTOOD : null;
  }

  #skipAddresses(): boolean {
    if (!this.#skipAddress()) return true;
    this.#take(/[ \t]*/y);
    if (this.#take(/,[ \t]*/y) !== null && this.#take(/[+~]\d+/y) === null && !this.#skipAddress())
      return false;
    this.#take(/[ \t]*(?:![ \t]*)*/y);
    return true;
  }

  #skipAddress(): boolean {
    if (this.#take(/\d+(?:~\d+)?|\$/y) !== null) return true;
    if (this.script[this.#at] === '\\') this.#at += 1;
    else if (this.script[this.#at] !== '/') return this.#take(/!/y) !== null;
    if (!this.#skipDelimited('expression')) {
      this.#at = this.script.length;
      return true;
    }
    this.#take(/[IM]*/y);
    return true;
  }

  /** Skips `/…/` or `/…/…/`. The delimiter may be any character; a backslash or, in an expression, brackets make it ordinary. */
  #skipDelimited(...sections: readonly ('expression' | 'text')[]): boolean {
    const delimiter = this.script[this.#at];
    if (delimiter === undefined || delimiter === '\n' || delimiter === '\\') return false;
    this.#at += 1;
    for (const section of sections) {
      while (this.script[this.#at] !== delimiter) {
        if (this.#at >= this.script.length) return false;
        const isBracket =
          section === 'expression' && this.#at < this.#lastBracket && this.#take(BRACKETS) !== null;
        if (!isBracket) this.#at += this.script[this.#at] === '\\' ? 2 : 1;
      }
      this.#at += 1;
    }
    return true;
  }

  #take(pattern: RegExp): string | null {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.script)?.[0];
    if (found === undefined) return null;
    this.#at += found.length;
    return found;
  }
}
