// The least that the work itself costs: find the tool, look at its argument, run it, gather what came of it.
import { showUpdates } from './show-updates.mjs';

/** @import { Subject } from '../subject-process.mjs' */

export const name = 'bare promise';
export const version = () => process.version;

/** @returns {Promise<Subject>} */
export async function make() {
  /** @type {Map<string, (args: { text: string }) => Promise<{ output: string }>>} */
  const tools = new Map([['echo', async ({ text }) => ({ output: text })]]);

  /** @param {number} index */
  async function call(index) {
    const request = { callId: `c${index}`, name: 'echo', args: { text: `t${index}` } };
    const run = tools.get(request.name);
    if (!run || typeof request.args.text !== 'string') throw new Error('not callable');
    return { callId: request.callId, status: 'success', response: await run(request.args) };
  }

  return {
    async batch(calls) {
      await Promise.all(Array.from({ length: calls }, (_, index) => call(index)));
    },

    async ask(calls) {
      /** @type {Map<number, () => void>} */
      const questions = new Map();
      const answered = Array.from({ length: calls }, async (_, index) => {
        await new Promise((resolve) => questions.set(index, () => resolve(undefined)));
        return call(index);
      });
      for (const [index, proceed] of questions) {
        questions.delete(index);
        proceed();
      }
      await Promise.all(answered);
    },

    async startBesideWaiting() {
      const began = performance.now();
      await call(1);
      return performance.now() - began;
    },

    async live(calls, updates) {
      let seen = 0;
      const see = (/** @type {{ callId: string, output: string }} */ { output }) => {
        if (output !== '') seen++;
      };
      const running = Array.from({ length: calls }, (_, index) =>
        showUpdates(updates, (output) => see({ callId: `c${index}`, output })),
      );
      await Promise.all(running);
      return seen;
    },
  };
}
