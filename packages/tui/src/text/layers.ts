import { type Line, textOf } from '@countersign/display';
import type { Ground, Role, Segment, StyledRow } from './styled.js';

/** A part of a text, counted in UTF-16, and what it is; later layers cover earlier ones. */
export type Layer = {
  readonly from: number;
  readonly to: number;
  readonly role?: Role;
  readonly on?: Ground;
};

/** A line, its invisible characters spelled out as codes, with a style for each of its parts. */
export function layered(line: Line, layers: readonly Layer[]): StyledRow {
  const all = [...layers, ...codesIn(line)];
  if (all.length === 0) return [{ text: textOf(line) }];
  const text = textOf(line);
  const edges = new Set([0, text.length]);
  for (const { from, to } of all) edges.add(Math.min(from, text.length)).add(Math.min(to, text.length));
  const places = [...edges].sort((a, b) => a - b);
  return places.slice(0, -1).map((from, index): Segment => {
    const here = all.filter((layer) => layer.from <= from && from < layer.to);
    return {
      text: text.slice(from, places[index + 1]),
      role: here.findLast(({ role }) => role !== undefined)?.role,
      on: here.findLast(({ on }) => on !== undefined)?.on,
    };
  });
}

function codesIn(line: Line): readonly Layer[] {
  const layers: Layer[] = [];
  let from = 0;
  for (const { as, text } of line) {
    if (as === 'code') layers.push({ from, to: from + text.length, role: 'hidden' });
    from += text.length;
  }
  return layers;
}
