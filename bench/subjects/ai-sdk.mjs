// Vercel's AI SDK: its agent loop, with a model that asks for all calls in its first answer and stops in its second.
import { load, versionOf } from '../peers.mjs';

/** @import { Subject } from '../subject-process.mjs' */

export const name = 'ai';
export const version = () => versionOf('sdk', 'ai');

/** @returns {Promise<Subject>} */
export async function make() {
  const { generateText, stepCountIs, isStepCount, tool } = await load('sdk', 'ai', 'dist/index.js');
  const { z } = await load('sdk', 'zod', 'index.js');
  const inputSchema = z.object({ text: z.string() });
  const definition = {
    description: 'Gives its text back.',
    inputSchema,
    execute: async (/** @type {{ text: string }} */ { text }) => ({ output: text }),
  };
  const allowed = { echo: tool(definition) };
  const asking = { echo: tool({ ...definition, needsApproval: true }) };
  // Renamed between versions.
  const stopWhen = (stepCountIs ?? isStepCount)(3);

  async function batch(/** @type {number} */ calls) {
    const options = { model: scripted(calls), tools: allowed, stopWhen, maxRetries: 0, prompt: 'go' };
    const { steps } = await generateText(options);
    const results = steps[0].toolResults.length;
    if (results !== calls) throw new Error(`${results} of ${calls} calls gave a result`);
  }

  return {
    batch,
    // A conversation with the model in which it wants nothing done.
    baseline: () => batch(0),

    async ask(calls) {
      const options = { model: scripted(calls), tools: asking, stopWhen, maxRetries: 0 };
      const prompt = [{ role: 'user', content: 'go' }];
      const stopped = await generateText({ ...options, messages: prompt });
      const questions = stopped.content.filter(isQuestion);
      if (questions.length !== calls) throw new Error(`asked about ${questions.length} of ${calls} calls`);
      const content = questions.map((/** @type {{ approvalId: string }} */ { approvalId }) => ({
        type: 'tool-approval-response',
        approvalId,
        approved: true,
      }));
      const said = stopped.responseMessages ?? stopped.response.messages;
      const messages = [...prompt, ...said, { role: 'tool', content }];
      const { text } = await generateText({ ...options, messages });
      if (text !== 'done') throw new Error('it did not go on after the answers');
    },
  };
}

const isQuestion = (/** @type {{ type: string }} */ { type }) => type === 'tool-approval-request';

const USAGE = {
  inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 1, text: 1, reasoning: 0 },
};

/** @param {number} calls */
function scripted(calls) {
  let wantsCalls = calls > 0;
  return {
    specificationVersion: 'v4',
    provider: 'bench',
    modelId: 'scripted',
    supportedUrls: {},
    async doGenerate() {
      const content = wantsCalls
        ? Array.from({ length: calls }, (_, index) => ({
            type: 'tool-call',
            toolCallId: `c${index}`,
            toolName: 'echo',
            input: JSON.stringify({ text: `t${index}` }),
          }))
        : [{ type: 'text', text: 'done' }];
      const unified = wantsCalls ? 'tool-calls' : 'stop';
      wantsCalls = false;
      return { content, finishReason: { unified, raw: undefined }, usage: USAGE, warnings: [] };
    },
  };
}
