/** What a piece of text is, not how it looks: a palette knows that. */
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

/** What lies behind a piece of text. */
export type Ground = 'added' | 'removed' | 'added word' | 'removed word';

export type Segment = {
  readonly text: string;
  readonly role?: Role | undefined;
  readonly on?: Ground | undefined;
};

/** What stands beside each other on a screen. */
export type StyledRow = readonly Segment[];

export const seg = (text: string, role?: Role): Segment => (role === undefined ? { text } : { text, role });
export const row = (text: string, role?: Role): StyledRow => [seg(text, role)];

export const plainText = (segments: StyledRow): string => segments.map(({ text }) => text).join('');
