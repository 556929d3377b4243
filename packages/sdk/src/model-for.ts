import { chooseModel, openModel, type Provider, retrying } from '@countersign/models';
import { ToolCallError } from './wires/function-response.js';

/**
 * The model to ask, by name or by the keys that the environment has, as the program itself chooses. Temporary errors of its
 * provider are retried.
 *
 * @example
 * ```ts
 * const { provider, model } = await modelFor('ollama:qwen3');
 * const turn = new Turn({ provider, model, toolRegistry: registry });
 * ```
 */
export async function modelFor(
  name: string | null = null,
  environment: NodeJS.ProcessEnv = process.env,
): Promise<{ readonly provider: Provider; readonly model: string }> {
  const options = { flag: name, settings: { model: null }, environment };
  const chosen = await chooseModel(options, new AbortController().signal);
  if (!chosen.ok) throw new ToolCallError(chosen.failure);
  return { provider: retrying(await openModel(chosen.choice)), model: chosen.choice.model };
}
