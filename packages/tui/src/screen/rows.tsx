import { Box, Text } from 'ink';
import type { ReactNode } from 'react';
import { painted } from '../text/palette.js';
import type { StyledRow } from '../text/styled.js';
import { usePalette } from './screen-context.js';

/** Rows as they were laid out: nothing is measured or broken again. */
export function Rows({ rows }: { readonly rows: readonly StyledRow[] }): ReactNode {
  const palette = usePalette();
  return (
    <Box flexDirection="column">
      {rows.map((row, index) => (
        <Text key={index} wrap="truncate">
          {painted(row, palette) || ' '}
        </Text>
      ))}
    </Box>
  );
}
