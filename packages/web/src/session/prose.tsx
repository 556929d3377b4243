import { visible } from '@countersign/kernel';
import { useMemo } from 'react';

type Piece = { readonly as: 'words' | 'code'; readonly text: string };

/** What a person or a model wrote: as it is, with code set apart. */
export function Prose({ text }: { readonly text: string }) {
  const pieces = useMemo(() => piecesOf(visible(text)), [text]);
  return (
    <div className="prose">
      {pieces.map((piece, index) =>
        piece.as === 'code' ? (
          <pre key={index} className="output" tabIndex={0} aria-label="Code">
            {piece.text}
          </pre>
        ) : (
          <p key={index}>{piece.text}</p>
        ),
      )}
    </div>
  );
}

/** A fence that is not closed reaches to the end: what is still being written looks as it will. */
export function piecesOf(text: string): readonly Piece[] {
  const pieces: Piece[] = [];
  let lines: string[] = [];
  let as: Piece['as'] = 'words';
  const settle = () => {
    const piece = lines.join('\n').replace(/^\n+|\n+$/g, '');
    if (piece !== '') pieces.push({ as, text: piece });
    lines = [];
  };
  for (const line of text.split('\n')) {
    if (!/^ {0,3}```/.test(line)) {
      lines.push(line);
      continue;
    }
    settle();
    as = as === 'code' ? 'words' : 'code';
  }
  settle();
  return pieces;
}
