/** Erase so many lines, from the last one up: what is written before a frame is drawn anew. */
const ERASED = /^\u001b\[2K(?:\u001b\[1A\u001b\[2K)*\u001b\[G/;
/** What leaves the cursor where it is: cursor shown or hidden, a frame begun or ended. */
const STANDS_STILL = /^(?:\u001b\[\?\d+[hl])*$/;

/**
 * The same stream, with less to draw: where a frame takes the place of the last one, only the rows that differ are
 * written. A screen that is erased as a whole fifteen times a second flickers, and over a slow line it crawls.
 */
export function calmOutput(stdout: NodeJS.WriteStream): NodeJS.WriteStream {
  let last: readonly string[] | null = null;
  const calm = (chunk: string): string => {
    if (STANDS_STILL.test(chunk)) return chunk;
    const erased = ERASED.exec(chunk)?.[0] ?? '';
    const frame = chunk.slice(erased.length);
    const before = last;
    last = frame === '' ? null : frame.split('\n');
    const count = erased === '' ? 0 : erased.split('\u001b[2K').length - 1;
    return before !== null && last !== null && before.length === count ? changes(before, last) : chunk;
  };
  return new Proxy(stdout, {
    get(target, name) {
      if (name === 'write')
        return (chunk: string | Uint8Array, ...rest: []) =>
          target.write(typeof chunk === 'string' ? calm(chunk) : chunk, ...rest);
      const member: unknown = Reflect.get(target, name, target);
      return typeof member === 'function' ? (member.bind(target) as unknown) : member;
    },
  });
}

/** From below the last row of one frame to below that of the next. */
function changes(before: readonly string[], after: readonly string[]): string {
  const up = before.length - 1;
  let text = up > 0 ? `\r\u001b[${up}A` : '\r';
  for (const [index, row] of after.entries()) {
    const isLast = index === after.length - 1;
    if (index >= before.length || row !== before[index]) text += `\u001b[2K${row}`;
    if (!isLast) text += index < before.length - 1 ? '\r\u001b[1B' : '\r\n';
  }
  return after.length < before.length ? `${text}\r\u001b[0J` : text;
}
