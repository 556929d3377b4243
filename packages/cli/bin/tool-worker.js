// Runs the tools of one module in a thread of its own. `packages/cli/src/tool-modules/tool-thread.ts` starts it and has the types of
// all messages. Plain JavaScript, since a thread needs a file to start from and the program is one bundle.
const threads = require('node:worker_threads');
const { pathToFileURL } = require('node:url');

/**
 * @typedef {import('../src/tool-modules/messages.js').ToThread} ToThread
 * @typedef {import('../src/tool-modules/messages.js').FromThread} FromThread
 * @typedef {import('../src/tool-modules/messages.js').ThreadData} ThreadData
 * @typedef {import('../src/tool-modules/messages.js').Thrown} Thrown
 * @typedef {import('@countersign/engine').Tool} Tool
 * @typedef {import('@countersign/engine').PlanDraft} PlanDraft
 * @typedef {import('@countersign/engine').PlanContext} PlanContext
 * @typedef {import('@countersign/engine').ResumeContext} ResumeContext
 */

const { parentPort, receiveMessageOnPort } = threads;
const given = /** @type {ThreadData} */ (/** @type {unknown} */ (threads.workerData));
const { file, families, answers, answered, questions, replied } = given;
/** @type {Map<string, Tool>} */
const tools = new Map();
/**
 * How a call is told to stop, and whether its tool could have noticed.
 * @typedef {{ readonly abort: AbortController, wasLookedAt: boolean }} Stop
 */
/** @type {Map<number, Stop>} by call */
const running = new Map();
/** @type {Map<number, (reply: { ok: boolean, value?: unknown, thrown?: Thrown }) => void>} by request */
const waiting = new Map();
/** @type {Map<number, PlanDraft>} plans whose functions may still be called */
const drafts = new Map();
const DRAFTS_MAX = 1_000; // no session has more questions open

/** A dead main thread answers nothing; this one ends with it. */
const REPLY_MS_MAX = 60_000;

let requests = 0;

// A program may read our own standard output, which has no place for what a tool prints.
process.stdout.write = process.stderr.write.bind(process.stderr);

/** @param {FromThread} message */
const post = (message) => parentPort?.postMessage(message);

parentPort?.on('message', (/** @type {ToThread} */ message) => {
  switch (message.type) {
    case 'call':
      return void carryOut(message);
    case 'abort':
      return running.get(message.id)?.abort.abort();
    case 'ping':
      return post({ type: 'pong' });
    case 'reply':
      waiting.get(message.request)?.(message);
      return void waiting.delete(message.request);
    case 'now':
      return answerNow(message);
  }
});

void load();

async function load() {
  try {
    /** @type {unknown} */
    const module = await import(pathToFileURL(file).href);
    const exported = member(module, 'default');
    if (exported === undefined) return post({ type: 'unusable', problem: 'it has no default export' });
    const all = Array.isArray(exported) ? exported : [exported];
    for (const tool of all) {
      const missing = missingParts(tool);
      if (missing.length > 0)
        return post({ type: 'unusable', problem: `a tool lacks ${missing.join(', ')}` });
    }
    const usable = /** @type {readonly Tool[]} */ (/** @type {unknown} */ (all));
    for (const tool of usable) tools.set(tool.name, tool);
    post({ type: 'ready', tools: usable.map(declarationOf) });
  } catch (error) {
    post({ type: 'unusable', problem: thrownBy(error).message });
  }
}

/** @param {unknown} value @param {string} name @returns {unknown} */
const member = (value, name) =>
  typeof value === 'object' && value !== null ? /** @type {unknown} */ (Reflect.get(value, name)) : undefined;

/** @param {unknown} tool @returns {string[]} */
function missingParts(tool) {
  if (typeof tool !== 'object' || tool === null) return ['everything, since it is not an object'];
  const needed = {
    name: 'string',
    description: 'string',
    kind: 'string',
    inputSchema: 'object',
    check: 'function',
    plan: 'function',
    run: 'function',
  };
  return Object.entries(needed).flatMap(([name, type]) =>
    typeof member(tool, name) === type ? [] : [`${name} (${type})`],
  );
}

/** @param {Tool} tool @returns {import('../src/tool-modules/messages.js').DeclaredTool} */
function declarationOf(tool) {
  const { name, description, kind, inputSchema, mcpServer, timeoutMs, whenStopped, aliases = [] } = tool;
  const displayName = typeof member(tool, 'displayName') === 'string' ? tool.displayName : name;
  const canUpdateOutput = member(tool, 'canUpdateOutput') === true;
  return {
    ...{ name, displayName, description, kind, inputSchema, canUpdateOutput },
    ...(mcpServer !== undefined && { mcpServer }),
    ...(timeoutMs !== undefined && { timeoutMs }),
    ...(whenStopped !== undefined && { whenStopped }),
    aliases: aliases.map((alias) => ({ name: alias.name, isConditional: alias.when !== undefined })),
    overrides: tool.overrides ? families.map((family) => tool.overrides?.(family) ?? null) : null,
    has: {
      renameArgs: tool.renameArgs !== undefined,
      withContent: tool.withContent !== undefined,
      resume: tool.resume !== undefined,
      leave: tool.leave !== undefined,
    },
  };
}

/** @param {Extract<ToThread, { type: 'call' }>} call */
async function carryOut(call) {
  const { id } = call;
  post({ type: 'begun', id });
  /** @type {Stop} */
  const stop = { abort: new AbortController(), wasLookedAt: false };
  running.set(id, stop);
  try {
    const value = await resultOf(call, stop);
    const whole = !stop.abort.signal.aborted || !stop.wasLookedAt;
    try {
      post({ type: 'done', id, ok: true, value, whole });
    } catch (error) {
      // Only what can be copied can leave the thread.
      const problem = thrownBy(error).message;
      post({ type: 'done', id, ok: false, thrown: { message: problem, notPlain: true } });
    }
  } catch (error) {
    post({ type: 'done', id, ok: false, thrown: thrownBy(error) });
  } finally {
    running.delete(id);
  }
}

/** @param {Extract<ToThread, { type: 'call' }>} call @param {Stop} stop */
async function resultOf(call, stop) {
  const tool = toolOf(call.tool);
  const { work } = call;
  switch (work.do) {
    case 'plan': {
      const checked = tool.check(work.args);
      if (!checked.ok) return { problems: [...checked.problems] };
      return sentDraft(
        call.id,
        await tool.plan(work.args, planContext(call.id, work.context, stop.abort.signal)),
      );
    }
    case 'run':
      return tool.run(work.args, runContext(call.id, work.context, stop));
    case 'resume':
      return tool.resume?.(work.args, runContext(call.id, work.context, stop));
    case 'withContent':
      return tool.withContent?.(work.args, work.newContent, work.original);
    case 'leave':
      return tool.leave?.(work.context);
    case 'answer':
      return draftOf(work.draft).onAnswer?.(work.outcome, work.payload);
  }
}

/** What the main thread waits for. @param {Extract<ToThread, { type: 'now' }>} message */
function answerNow({ id, tool, ask }) {
  /** @type {import('../src/tool-modules/messages.js').AnswerNow} */
  let answer;
  try {
    answer = { id, ok: true, value: valueNow(toolOf(tool), ask) };
    answers.postMessage(answer);
  } catch (error) {
    answer = { id, ok: false, message: thrownBy(error).message };
    answers.postMessage(answer);
  }
  Atomics.store(answered, 0, 1);
  Atomics.notify(answered, 0);
}

/** @param {Tool} tool @param {import('../src/tool-modules/messages.js').AskNow} ask */
function valueNow(tool, ask) {
  switch (ask.what) {
    case 'when':
      return tool.aliases?.[ask.alias]?.when?.(ask.args) ?? true;
    case 'renameArgs':
      return tool.renameArgs?.(ask.args) ?? ask.args;
    case 'narrowGrant':
      return draftOf(ask.draft).narrowGrant?.(ask.outcome, ask.offered) ?? null;
    case 'leaves':
      return draftOf(ask.draft).leaves?.(ask.path) ?? null;
  }
}

/** @param {number} id @param {PlanDraft} draft */
function sentDraft(id, draft) {
  const { title, resources, repeat, locations, basis, confirmation, annotations, byDefault } = draft;
  const functions = {
    onAnswer: draft.onAnswer !== undefined,
    narrowGrant: draft.narrowGrant !== undefined,
    leaves: draft.leaves !== undefined,
  };
  if (Object.values(functions).includes(true)) {
    drafts.set(id, draft);
    const [oldest] = drafts.keys();
    if (drafts.size > DRAFTS_MAX && oldest !== undefined) drafts.delete(oldest);
  }
  const given = { title, resources, repeat, locations, basis, confirmation, annotations, byDefault };
  const present = Object.entries(given).filter(([, value]) => value !== undefined);
  return { draft: Object.fromEntries(present), functions };
}

/** @param {number} id */
function draftOf(id) {
  const draft = drafts.get(id);
  if (!draft) throw new Error('the plan of this call is no longer known to its tool');
  return draft;
}

/** @param {string} name */
function toolOf(name) {
  const tool = tools.get(name);
  if (!tool) throw new Error(`the module has no tool ${name} any more`);
  return tool;
}

/**
 * @param {number} id
 * @param {import('../src/tool-modules/messages.js').SentPlanContext} sent
 * @param {AbortSignal} signal
 * @returns {PlanContext}
 */
function planContext(id, sent, signal) {
  return {
    ...sent,
    signal,
    wasRead: (path) => askNow({ id, what: 'wasRead', path }) === true,
    earlier: async (path) => {
      const content = await request({ id, what: 'earlier', path });
      return content instanceof Uint8Array ? content : null;
    },
  };
}

/**
 * @param {number} id
 * @param {import('../src/tool-modules/messages.js').SentRunContext} sent
 * @param {Stop} stop
 * @returns {ResumeContext}
 */
function runContext(id, sent, stop) {
  return {
    ...sent,
    get signal() {
      stop.wasLookedAt = true;
      return stop.abort.signal;
    },
    get sessionDirectory() {
      return String(askNow({ id, what: 'sessionDirectory' }));
    },
    get directory() {
      return String(askNow({ id, what: 'directory' }));
    },
    setMode: (mode) => post({ type: 'note', id, note: { what: 'setMode', mode } }),
    updateOutput: (text) => post({ type: 'note', id, note: { what: 'output', text } }),
    process: (pid) => post({ type: 'note', id, note: { what: 'process', pid } }),
    progress: (done, total, message) =>
      post({ type: 'note', id, note: { what: 'progress', done, total, message } }),
    ask: async (asked, { asker, signal: withdrawn } = {}) => {
      const answer = await request({ id, what: 'ask', questions: asked, asker }, withdrawn);
      return /** @type {import('@countersign/protocol').Json} */ (answer);
    },
  };
}

/**
 * Asks the main thread for something that takes time.
 * @param {import('../src/tool-modules/messages.js').Asked} asked
 * @param {AbortSignal} [withdrawn]
 * @returns {Promise<unknown>}
 */
function request(asked, withdrawn) {
  const number = (requests += 1);
  return new Promise((resolve, reject) => {
    waiting.set(number, ({ ok, value, thrown }) =>
      ok ? resolve(value) : reject(new Error(thrown?.message)),
    );
    withdrawn?.addEventListener('abort', () => post({ type: 'withdraw', request: number }), { once: true });
    post({ type: 'request', request: number, asked });
  });
}

/** Asks the main thread for something that it knows, and waits. @param {import('../src/tool-modules/messages.js').AskedNow} asked */
function askNow(asked) {
  Atomics.store(replied, 0, 0);
  questions.postMessage(asked);
  Atomics.wait(replied, 0, 0, REPLY_MS_MAX);
  /** @type {unknown} */
  const reply = receiveMessageOnPort(questions);
  return member(member(reply, 'message'), 'value');
}

/** What is left of an error on its way to another thread. @param {unknown} error @returns {Thrown} */
function thrownBy(error) {
  if (typeof error !== 'object' || error === null) return { message: String(error) };
  const words = [member(error, 'message'), member(error, 'name')];
  const [message = 'an unknown error'] = words.flatMap((word) =>
    typeof word === 'string' && word !== '' ? [word] : [],
  );
  const failure = member(error, 'failure');
  if (member(error, 'name') !== 'ToolFailure' || typeof failure !== 'object') return { message };
  try {
    const copy = /** @type {import('@countersign/protocol').Failure} */ (structuredClone(failure));
    const output = member(error, 'output');
    return { message, failure: copy, output: typeof output === 'string' ? output : null };
  } catch {
    return { message };
  }
}
