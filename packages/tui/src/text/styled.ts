/** What a piece of text is; the palette defines how it looks. */
export type Role =
  | 'strong'
  | 'dim'
  | 'accent'
  | 'ok'
  | 'bad'
  | 'warn'
  | 'hidden'
  | 'cursor'
  | 'added'
  | 'removed'
  | 'heading'
  | 'emphasis'
  | 'keyword'
  | 'string'
  | 'comment'
  | 'number'
  | 'name';

/** The background of a piece of text. */
export type Ground = 'added' | 'removed' | 'added word' | 'removed word';

export type Segment = {
  readonly text: string;
  readonly role?: Role | undefined;
  readonly on?: Ground | undefined;
};

/** The segments of one row of the screen. */
export type StyledRow = readonly Segment[];

export const seg = (text: string, role?: Role): Segment => (role === undefined ? { text } : { text, role });
export const row = (text: string, role?: Role): StyledRow => [seg(text, role)];

export const plainText = (segments: StyledRow): string => segments.map(({ text }) => text).join('');
