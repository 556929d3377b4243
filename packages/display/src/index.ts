export { type Choice, choicesOf } from './choices.js';
export { columnsOf } from './columns.js';
export { type Block, type Display, displayOf, KINDS } from './display.js';
export { type Excerpt, excerptOf, firstRows, shareRows } from './excerpt.js';
export { type DiffRow, readDiff } from './read-diff.js';
export { type Row } from './rows.js';
export { type Line, lineOf, type Span, textOf, visible, visibleJson, visibleLine } from './visible-text.js';
