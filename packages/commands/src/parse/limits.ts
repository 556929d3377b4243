/** Longer than what people and models write as one command; what is longer is asked about, never allowed. */
export const TEXT_CHARS_MAX = 16_384;

/** The parser reads a nested substitution once per level: 64 levels take about 10 ms, five thousand take seconds. */
export const SUBSTITUTIONS_MAX = 64;

/** Cheaper, and still nested or looked at again and again: `${a:-${b:-…}}`, `{a,{b,…}}`. */
export const BRACES_MAX = 300;

/** `bash -c "bash -c '…'"`: each level halves what a person can still read. */
export const CODE_DEPTH_MAX = 8;

/** Commands and texts within commands (`timeout …`, `eval '…'`) that one command line may hold. */
export const INNER_COMMANDS_MAX = 200;

/** The limit of their text: text in several readings is read several times. */
export const INNER_CHARS_MAX = 32_768;
