/** A half-open range of UTF-16 units in the text of the command line. */
export type Span = { readonly start: number; readonly end: number };
