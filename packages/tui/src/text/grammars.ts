import { common, createLowlight } from 'lowlight';

/** The languages that people mostly work in. Loaded on demand, since there are many. */
export const grammars = createLowlight(common);
