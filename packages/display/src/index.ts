/**
 * How a question, a diff or any foreign text is shown, the same in every front end. Pure.
 *
 * What enters: a question, or text from a model, a file or a tool. What leaves: blocks, rows and lines to draw.
 *
 * What holds: nothing that is shown can act on a screen or hide on it. Control characters, turned writing direction and letters
 * that look like others appear as what they are; of long content the beginning and the end are always visible.
 */
export { type AlwaysWay, type Choice, choicesOf } from './choices.js';
export { columnsOf } from './columns.js';
export { type Block, type Display, displayOf, KINDS } from './display.js';
export { type Excerpt, excerptOf, firstRows, shareRows } from './excerpt.js';
export { readLimits } from './grant-limits.js';
export { type DiffRow, readDiff } from './read-diff.js';
export { type Row } from './rows.js';
export { type Line, lineOf, textOf, visible, visibleJson, visibleLine } from './visible-text.js';
