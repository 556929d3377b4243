export type Piece = { readonly as: 'words' | 'code'; readonly text: string };

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
