/**
 * A file that a memory file imports: `@path/to/file.md`, not in the middle of a word. A full stop or bracket after it is
 * not part of it, and no path is longer than a search may take.
 */
export const MENTION = /(?<=^|[\s(])@([^\s`]{1,500}?\.md)(?=[.,;:!?)\]]*(?:\s|$))/giu;
