/** Break a line between words where a terminal would break it inside one. What goes on is indented. */
export function wrapped(line: string, columns: number | undefined, indent: string): string {
  if (columns === undefined) return line;
  const lines: string[] = [];
  let current = '';
  for (const word of line.split(/(?<=\S) /)) {
    const longer = current === '' ? word : `${current} ${word}`;
    if (current === '' || longer.length < columns) current = longer;
    else {
      lines.push(current);
      current = `${indent}${word}`;
    }
  }
  return [...lines, current].join('\n');
}
