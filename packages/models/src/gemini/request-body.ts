import type { JsonObject } from '@countersign/protocol';
import type { ModelRequest } from '../provider.js';
import { wireContents } from './wire-contents.js';

/** Models before these, and those for images or speech, reject a request for thoughts. */
const THINKS = /^(models\/)?gemini-(2\.5|[3-9]|(flash|flash-lite|pro)-latest)(?!.*-(image|tts))/;

/** What `generateContent` and `streamGenerateContent` take. `tools`: Google's own, e.g. `{ googleSearch: {} }`. */
export function requestBody(request: ModelRequest, tools: readonly JsonObject[] = []): JsonObject {
  const { model, system, contents } = request;
  const declared = declarationsOf(request);
  const allTools = declared.length > 0 ? [{ functionDeclarations: declared }, ...tools] : tools;
  return {
    ...(system !== '' && { systemInstruction: { role: 'user', parts: [{ text: system }] } }),
    contents: wireContents(contents, model),
    ...(allTools.length > 0 && { tools: allTools }),
    ...(declared.length > 0 && toolConfigOf(request)),
    generationConfig: generationConfigOf(request),
  };
}

/** Gemini takes a list of allowed names only where a call is wanted; otherwise what is not declared is not called. */
function declarationsOf({ declarations, toolChoice }: ModelRequest): readonly JsonObject[] {
  const { mode, allowed } = toolChoice ?? {};
  return mode === 'auto' && allowed
    ? declarations.filter(({ name }) => allowed.includes(name))
    : declarations;
}

function toolConfigOf({ toolChoice }: ModelRequest): JsonObject {
  if (toolChoice === undefined) return {};
  const { mode, allowed } = toolChoice;
  const names = mode === 'any' && allowed ? { allowedFunctionNames: allowed } : {};
  return { toolConfig: { functionCallingConfig: { mode: mode.toUpperCase(), ...names } } };
}

function generationConfigOf({ model, maxOutputTokens, temperature }: ModelRequest): JsonObject {
  return {
    ...(maxOutputTokens !== undefined && { maxOutputTokens }),
    ...(temperature !== undefined && { temperature }),
    ...(THINKS.test(model) && { thinkingConfig: { includeThoughts: true } }),
  };
}
