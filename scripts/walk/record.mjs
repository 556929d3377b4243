// node --import record.mjs: writes down which functions of ours are entered, in their order, and when.
// At the end of the process the list is written to the file that WALK_OUT names, as JSON.
import { writeFileSync } from 'node:fs';
import { register } from 'node:module';

/** @type {[name: string, at: number][]} */
const entered = [];
Object.assign(globalThis, {
  walkEntered: (/** @type {string} */ name) => {
    entered.push([name, performance.timeOrigin + performance.now()]);
  },
});
register('./instrument.mjs', import.meta.url);
process.on('exit', () => writeFileSync(process.env['WALK_OUT'] ?? '', JSON.stringify(entered)));
