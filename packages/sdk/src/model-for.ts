import { chooseModel, openModel, type Provider, retrying } from '@countersign/models';
import { ToolCallError } from './wires/function-response.js';

/**
 * The model to ask, by name or by what the environment has keys for, as the
 * program itself chooses; passing faults of its provider are retried.
 */
export async function modelFor(
  name: string | null = null,
  environment: NodeJS.ProcessEnv = process.env,
): Promise<{ readonly provider: Provider; readonly model: string }> {
  const wishes = { flag: name, settings: { model: null }, environment };
  const chosen = await chooseModel(wishes, new AbortController().signal);
  if (!chosen.ok) throw new ToolCallError(chosen.failure);
  return { provider: retrying(await openModel(chosen.choice)), model: chosen.choice.model };
}
