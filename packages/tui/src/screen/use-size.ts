import { useEffect, useState } from 'react';

export type Size = { readonly columns: number; readonly rows: number };

const USUAL: Size = { columns: 80, rows: 24 };

/** What can be drawn on, also after it was changed. */
export function useSize(stdout: NodeJS.WriteStream): Size {
  const [size, setSize] = useState(() => sizeOf(stdout));
  useEffect(() => {
    const measure = () => setSize(sizeOf(stdout));
    stdout.on('resize', measure);
    return () => {
      stdout.off('resize', measure);
    };
  }, [stdout]);
  return size;
}

/** The last column stays free: some terminals break a row there already, and all do when they are made narrower. */
const sizeOf = ({ columns, rows }: NodeJS.WriteStream): Size => ({
  columns: Math.max(2, (columns || USUAL.columns) - 1),
  rows: rows || USUAL.rows,
});
