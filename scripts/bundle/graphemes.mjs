// Stands in for the segmenters that packages of the terminal make when they are loaded: the first one of a process
// takes 15 ms and more, and what is laid out at a start is ASCII.

const ASCII = /^[ -~]*$/;
/** @type {Intl.Segmenter | null} */
let segmenter = null;

export const graphemes = {
  /** @param {string} text @returns {Iterable<{ readonly segment: string, readonly index: number }>} */
  segment(text) {
    if (ASCII.test(text)) return Array.from(text, (segment, index) => ({ segment, index }));
    segmenter ??= new Intl.Segmenter(undefined, { granularity: 'grapheme' });
    return segmenter.segment(text);
  },
};

/** @type {RegExp | null} */
let emoji = null;

/** The same for the table of all emoji, which takes 30 ms to make. */
export const emojiPattern = {
  /** @param {string} text */
  test(text) {
    emoji ??= new RegExp('^\\p{RGI_Emoji}$', 'v');
    return emoji.test(text);
  },
};
