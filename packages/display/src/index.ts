export { columnsOf } from './columns.js';
export { type Block, type Display, displayOf } from './display.js';
export { type Excerpt, excerptOf, firstRows, shareRows } from './excerpt.js';
export { type DiffRow, readDiff } from './read-diff.js';
export { type Row } from './rows.js';
export { type Line, lineOf, textOf, visible, visibleJson, visibleLine } from './visible-text.js';
