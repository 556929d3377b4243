import { ModelError, type ModelEvent, type ModelRequest, type Provider } from '@countersign/models';
import { type AgentHooks, refusalIn, SAID_BY_HOOK } from '../hooks/agent-hooks.js';
import { changedRequest, requestForHooks } from './hook-request.js';
import { responseForHooks, textOfResponse } from './hook-response.js';
import { chosenTools } from './tool-choice.js';
import { withWords } from './words.js';

type FinishedEvent = Extract<ModelEvent, { type: 'finished' }>;

/** A model between hooks: they see what it is asked and what it says, and may change or refuse both. */
export function hookedModel(provider: Provider, hooks: AgentHooks): Provider {
  const isHooked = (['BeforeModel', 'BeforeToolSelection', 'AfterModel'] as const).some(hooks.listens);
  if (!isHooked) return provider;
  return { name: provider.name, stream: (request, signal) => stream(provider, hooks, request, signal) };
}

async function* stream(
  provider: Provider,
  hooks: AgentHooks,
  given: ModelRequest,
  signal: AbortSignal,
): AsyncGenerator<ModelEvent> {
  const { request, said } = await beforeModel(hooks, given, signal);
  const chosen = said === null ? await beforeToolSelection(hooks, request, signal) : request;
  const events = said === null ? provider.stream(chosen, signal) : sayingOnly(said, request.model);
  if (hooks.listens('AfterModel')) yield* afterModel(hooks, chosen, events, signal);
  else yield* events;
}

async function beforeModel(
  hooks: AgentHooks,
  request: ModelRequest,
  signal: AbortSignal,
): Promise<{ readonly request: ModelRequest; readonly said: string | null }> {
  if (!hooks.listens('BeforeModel')) return { request, said: null };
  const report = await hooks.run('BeforeModel', { llm_request: requestForHooks(request) }, signal);
  signal.throwIfAborted();
  const refusal = refusalIn(report);
  if (refusal) throw new ModelError(refusal);
  const said = textOfResponse(report);
  return { request: said === null ? changedRequest(request, report) : request, said };
}

async function beforeToolSelection(
  hooks: AgentHooks,
  request: ModelRequest,
  signal: AbortSignal,
): Promise<ModelRequest> {
  // Without tools there is nothing to select from: a summary is wanted, for one.
  if (request.declarations.length === 0 || !hooks.listens('BeforeToolSelection')) return request;
  const report = await hooks.run('BeforeToolSelection', { llm_request: requestForHooks(request) }, signal);
  signal.throwIfAborted();
  const refusal = refusalIn(report);
  if (refusal) throw new ModelError(refusal);
  const toolChoice = chosenTools(report);
  return toolChoice === null ? request : { ...request, toolChoice };
}

/** Words are held back until hooks have seen all of them: what was shown cannot be taken back. */
async function* afterModel(
  hooks: AgentHooks,
  request: ModelRequest,
  events: AsyncIterable<ModelEvent>,
  signal: AbortSignal,
): AsyncGenerator<ModelEvent> {
  let text = '';
  for await (const event of events) {
    if (event.type === 'text') text += event.text;
    else if (event.type !== 'finished') yield event;
    else {
      const payload = {
        llm_request: requestForHooks(request),
        llm_response: responseForHooks(text, event),
      };
      const report = await hooks.run('AfterModel', payload, signal);
      signal.throwIfAborted();
      const refusal = refusalIn(report);
      if (refusal) throw new ModelError(refusal);
      const instead = textOfResponse(report);
      const words = instead ?? text;
      if (words !== '') yield { type: 'text', text: words };
      yield instead === null ? event : reworded(event, instead);
    }
  }
}

/** The history holds what was shown. */
const reworded = (event: FinishedEvent, words: string): FinishedEvent => ({
  ...event,
  content: { role: 'model', parts: withWords(event.content.parts, words) },
});

/** What a hook answers in the model's place. */
async function* sayingOnly(text: string, model: string): AsyncGenerator<ModelEvent> {
  if (text !== '') yield { type: 'text', text };
  yield {
    type: 'finished',
    reason: 'stop',
    said: SAID_BY_HOOK,
    message: null,
    content: { role: 'model', parts: text === '' ? [] : [{ text }] },
    usage: { inputTokens: 0, outputTokens: 0, cachedTokens: 0, thoughtTokens: 0 },
    model,
  };
}
