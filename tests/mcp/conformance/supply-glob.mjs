// Preloaded into the official conformance suite's own process, and only there: the suite imports `globSync` from "fs",
// which Node has as of 22, for a command (tier-check) that is not used here. Without the name it does not start at all.
import * as fs from 'node:fs';
import { register } from 'node:module';

const asUrl = (/** @type {string} */ source) => `data:text/javascript,${encodeURIComponent(source)}`;

if (!('globSync' in fs)) {
  const withGlob = asUrl(`
    export * from 'node:fs';
    export { default } from 'node:fs';
    export const globSync = () => { throw new Error('this Node has no globSync'); };`);
  register(
    asUrl(`export const resolve = (specifier, context, next) =>
      specifier === 'fs' ? { url: ${JSON.stringify(withGlob)}, shortCircuit: true } : next(specifier, context);`),
  );
}
