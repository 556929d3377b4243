import { visible } from '@countersign/display';
import { useMemo } from 'react';
import { piecesOf } from './pieces.js';

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
