import { Box, Text } from 'ink';
import { type ReactNode, useEffect, useMemo, useRef } from 'react';
import { painted } from '../text/palette.js';
import type { StyledRow } from '../text/styled.js';
import type { BlockKind, QuestionOnScreen } from './blocks.js';
import { useScreen } from './screen-context.js';

/** Rows as they were laid out: nothing is measured or broken again. */
export function Rows({
  rows,
  kind = 'live',
  asks,
}: {
  readonly rows: readonly StyledRow[];
  readonly kind?: BlockKind;
  readonly asks?: QuestionOnScreen;
}): ReactNode {
  const { palette, blocks, columns } = useScreen();
  const drawn = rows.map((row) => painted(row, palette));
  // The same rows have the same sign: then there is nothing to draw.
  const content = drawn.join('\n');
  const latest = useRef(drawn);
  latest.current = drawn;
  const sign = useMemo(
    () => blocks.put(kind, { rows: latest.current, columns, ...(asks && { asks }) }),
    [blocks, kind, columns, content, asks],
  );
  useEffect(() => () => blocks.giveBack(sign), [blocks, sign]);
  if (rows.length === 0) return null;
  return (
    <Box height={rows.length} flexShrink={0}>
      <Text>{sign}</Text>
    </Box>
  );
}
