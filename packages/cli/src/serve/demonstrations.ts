import { scriptedProvider } from '@countersign/models';
import type { ServerPorts } from '@countersign/server';
import type { AgentSetup } from '../compose/compose-agent.js';
import { PROMPT, sceneByScene } from '../demo/scenes.js';
import { makeScratch, setStage, stageOf } from '../demo/stage.js';
import type { Io } from '../io/io.js';
import { storeDirectory } from '../options/places.js';

/** What `countersign demo` plays in a terminal, for users of the page. */
export const demonstrations: ServerPorts['demonstrations'] = {
  prepare: async () => {
    const { workspace } = await setStage(await makeScratch());
    return { workspace, prompt: PROMPT };
  },
  isOne: async (workspace) => (await stageOf(workspace)) !== null,
};

/** For a session on such a stage: its rules, its script, and nothing that a person has set up for themselves. */
export async function onStage(
  workspace: string,
  store: string | undefined,
  { env }: Io,
): Promise<Partial<Pick<AgentSetup, 'store' | 'policyFiles' | 'toolModules' | 'env' | 'modelInUse'>>> {
  const stage = await stageOf(workspace);
  if (stage === null) return {};
  return {
    // Where the server keeps everything, whatever home the stage has.
    store: store ?? storeDirectory(env),
    policyFiles: [stage.rules],
    toolModules: [],
    env: { ...env, COUNTERSIGN_HOME: stage.home },
    modelInUse: { provider: scriptedProvider(sceneByScene), model: 'scripted' },
  };
}
