/** A key press, or a report of the terminal. */
export type Key = {
  readonly name:
    | 'text'
    | 'enter'
    | 'escape'
    | 'tab'
    | 'backspace'
    | 'delete'
    | 'up'
    | 'down'
    | 'left'
    | 'right'
    | 'home'
    | 'end'
    | 'pageup'
    | 'pagedown'
    | 'paste'
    /** The terminal gained or lost focus. */
    | 'focus'
    | 'blur'
    /** The background colour, 'light' or 'dark'. */
    | 'background'
    | 'other';
  /** Of `text` and `paste`, what was typed, of `background`, what it is; else empty. */
  readonly text: string;
  readonly ctrl: boolean;
  readonly alt: boolean;
  readonly shift: boolean;
};

const PASTE_BEGIN = '\u001b[200~';
const PASTE_END = '\u001b[201~';
const ESC = '\u001b';

/** A whole control sequence: `CSI parameters final`, `SS3 final`. */
const CSI = /^\u001b\[([\d:;<=>?]*)[ -/]*([@-~])/;
const SS3 = /^\u001bO([ -~])/;
/** Reports of the terminal: `OSC …`, `DCS …`, up to their end. */
const STRING = /^\u001b[\]P_^][^\u0007\u001b]*(?:\u0007|\u001b\\)/;
const ANSWER_BEGUN = /^\u001b[\]P_^][^\u0007\u001b]/;
/** The beginning of a sequence whose rest has not arrived. */
const UNFINISHED = /^\u001b(?:\[[\d:;<=>?]*[ -/]*|O|[\]P_^][^\u0007\u001b]*\u001b?)?$/;

/** Turns the bytes of a terminal into keys. A sequence may arrive in pieces. */
export class KeyDecoder {
  #left = '';
  #paste: string | null = null;

  /** Whether it waits for the rest of a sequence, which may be a mere Escape. */
  get isWaiting(): boolean {
    return this.#left !== '' && this.#paste === null;
  }

  /** Whether that is a report of the terminal: its rest may arrive late, and is not typed text. */
  get isAnswer(): boolean {
    return this.isWaiting && ANSWER_BEGUN.test(this.#left);
  }

  feed(sent: string): readonly Key[] {
    const keys: Key[] = [];
    this.#left += sent;
    while (this.#left !== '') {
      const key = this.#paste === null ? this.#next() : this.#pasted();
      if (key === 'wait') break;
      if (key) keys.push(key);
    }
    return keys;
  }

  /** No more input arrived: the rest is taken as it is. */
  flush(): readonly Key[] {
    if (!this.isWaiting) return [];
    const left = this.#left;
    this.#left = '';
    if (left === ESC) return [key('escape')];
    return left.startsWith(ESC) && left.length === 2 ? [key('text', { text: left.slice(1), alt: true })] : [];
  }

  #next(): Key | null | 'wait' {
    const sent = this.#left;
    if (sent.startsWith(PASTE_BEGIN)) {
      this.#left = sent.slice(PASTE_BEGIN.length);
      this.#paste = '';
      return null;
    }
    if (!sent.startsWith(ESC)) return this.#plain(sent);
    const csi = CSI.exec(sent);
    if (csi) return this.#took(csi[0], csiKey(csi[1] ?? '', csi[2] ?? ''));
    const ss3 = SS3.exec(sent);
    if (ss3) return this.#took(ss3[0], key(FINALS[ss3[1] ?? ''] ?? 'other'));
    const string = STRING.exec(sent);
    if (string) return this.#took(string[0], reportKey(string[0]));
    if (UNFINISHED.test(sent)) return 'wait';
    if (sent[1] === ESC) return this.#took(ESC, key('escape'));
    const [character = ''] = sent.slice(1);
    return this.#took(`${ESC}${character}`, { ...plainKey(character), alt: true });
  }

  #plain(sent: string): Key {
    const words = /^[^\u0000-\u001f\u007f]+/u.exec(sent)?.[0];
    if (words === undefined) return this.#took(sent.slice(0, 1), plainKey(sent.slice(0, 1)));
    return this.#took(words, key('text', { text: words }));
  }

  #took<K extends Key | null>(taken: string, made: K): K {
    this.#left = this.#left.slice(taken.length);
    return made;
  }

  #pasted(): Key | 'wait' {
    const end = this.#left.indexOf(PASTE_END);
    if (end === -1) {
      // The end itself may come in two pieces.
      const kept = Math.max(0, this.#left.length - PASTE_END.length);
      this.#paste += this.#left.slice(0, kept);
      this.#left = this.#left.slice(kept);
      return 'wait';
    }
    const text = (this.#paste ?? '') + this.#left.slice(0, end);
    this.#paste = null;
    this.#left = this.#left.slice(end + PASTE_END.length);
    return key('paste', { text: text.replaceAll('\r\n', '\n').replaceAll('\r', '\n') });
  }
}

const key = (name: Key['name'], more: Partial<Key> = {}): Key => ({
  name,
  text: '',
  ctrl: false,
  alt: false,
  shift: false,
  ...more,
});

/** `OSC 11`, red, green and blue in two or four hexadecimal digits each. */
const BACKGROUND = /^\u001b\]11;rgba?:([\da-f]{2})[\da-f]*\/([\da-f]{2})[\da-f]*\/([\da-f]{2})/i;
const LIGHT_FROM = 128; // of 255, as bright as eyes see it

function reportKey(report: string): Key | null {
  const [red, green, blue] =
    BACKGROUND.exec(report)
      ?.slice(1)
      .map((hex) => Number.parseInt(hex, 16)) ?? [];
  if (red === undefined || green === undefined || blue === undefined) return null;
  const brightness = 0.299 * red + 0.587 * green + 0.114 * blue;
  return key('background', { text: brightness < LIGHT_FROM ? 'dark' : 'light' });
}

function plainKey(character: string): Key {
  if (character === '\r') return key('enter');
  if (character === '\t') return key('tab');
  if (character === '\u007f' || character === '\b') return key('backspace');
  if (character >= ' ') return key('text', { text: character });
  return key('text', { text: String.fromCharCode(character.charCodeAt(0) + 0x60), ctrl: true });
}

const FINALS: { readonly [final: string]: Key['name'] } = {
  A: 'up',
  B: 'down',
  C: 'right',
  D: 'left',
  H: 'home',
  F: 'end',
  M: 'enter',
  I: 'focus',
  O: 'blur',
};
const NUMBERS: { readonly [number: string]: Key['name'] } = {
  '1': 'home',
  '3': 'delete',
  '4': 'end',
  '5': 'pageup',
  '6': 'pagedown',
  '7': 'home',
  '8': 'end',
};

function csiKey(parameters: string, final: string): Key | null {
  if (/[<=>?]/.test(parameters)) return null;
  const [first = '', second = '', third = ''] = parameters.split(';').map((each) => each.split(':')[0] ?? '');
  if (final === 'u') return codedKey(Number(first), modifiers(second));
  // Another spelling of the same, by terminals that know `modifyOtherKeys`.
  if (final === '~' && first === '27') return codedKey(Number(third), modifiers(second));
  if (final === '~') return key(NUMBERS[first] ?? 'other', modifiers(second));
  if (final === 'Z') return key('tab', { shift: true });
  return key(FINALS[final] ?? 'other', modifiers(second));
}

function codedKey(code: number, held: Partial<Key>): Key {
  if (code === 13) return key('enter', held);
  if (code === 27) return key('escape', held);
  if (code === 9) return key('tab', held);
  if (code === 127) return key('backspace', held);
  // Keys without a character of their own have codes for private use.
  const isCharacter = code >= 32 && code < 0xe000;
  return isCharacter ? key('text', { text: String.fromCodePoint(code), ...held }) : key('other', held);
}

/** Encoded as one more than the sum of shift 1, alt 2, ctrl 4. */
function modifiers(given: string): Partial<Key> {
  const held = Math.max(0, Number(given || '1') - 1);
  return { shift: (held & 1) !== 0, alt: (held & 2) !== 0, ctrl: (held & 4) !== 0 };
}
