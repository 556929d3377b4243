import type { Piece } from './read-part.js';
import type { WireNames } from './wire-names.js';

export type MessageStyle = {
  readonly names: WireNames;
  /** Whether the model can be shown pictures and the like. */
  readonly media: 'shown' | 'in words';
};

/** What a piece is to a model that cannot take it as it is. */
export function inWords(piece: Piece): string {
  switch (piece.kind) {
    case 'words':
      return piece.text;
    case 'link':
      return `[An attachment${ofType(piece.mimeType)} is at ${piece.uri}]`;
    case 'media': {
      const bytes = Buffer.from(piece.data, 'base64');
      const text = piece.mimeType.startsWith('text/') ? bytes.toString('utf8') : '';
      if (text.trim() !== '') return text;
      return `[An attachment${ofType(piece.mimeType)}, ${bytes.length} bytes, which this model cannot read]`;
    }
  }
}

const ofType = (mimeType: string) => (mimeType === '' ? '' : ` of type ${mimeType}`);

/** Some servers refuse an empty result, and to a model it looks like one that was lost. */
export const NO_OUTPUT = '(no output)';
