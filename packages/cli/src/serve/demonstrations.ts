import { scriptedProvider } from '@countersign/models';
import type { ServerPorts } from '@countersign/server';
import type { AgentSetup } from '../compose/compose-agent.js';
import { PROMPT, sceneByScene } from '../demo/scenes.js';
import { makeScratch, setStage, stageOf } from '../demo/stage.js';
import type { Io } from '../io/io.js';
import { storeDirectory } from '../options/places.js';

/** The session of `countersign demo`, for the web page. */
export const demonstrations: ServerPorts['demonstrations'] = {
  prepare: async () => {
    const { workspace } = await setStage(await makeScratch());
    return { workspace, prompt: PROMPT };
  },
  isOne: async (workspace) => (await stageOf(workspace)) !== null,
};

/** Setup of a demo session: its rules and script, without the user's own configuration. */
export async function onStage(
  workspace: string,
  store: string | undefined,
  { env }: Io,
): Promise<Partial<Pick<AgentSetup, 'store' | 'policyFiles' | 'toolModules' | 'env' | 'modelInUse'>>> {
  const stage = await stageOf(workspace);
  if (stage === null) return {};
  return {
    // The store of the server, not of the demo's home directory.
    store: store ?? storeDirectory(env),
    policyFiles: [stage.rules],
    toolModules: [],
    env: { ...env, COUNTERSIGN_HOME: stage.home },
    modelInUse: { provider: scriptedProvider(sceneByScene), model: 'scripted' },
  };
}
