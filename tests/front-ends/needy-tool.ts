import { type Need, ToolFailure } from '@countersign/protocol';
import * as z from 'zod';
import { defineTool } from '../../packages/sdk/src/tools/define-tool.js';

const NETWORK: Need = { needs: 'network', host: 'example.org' };

/** Asks, and is stopped by the sandbox once, for tests of a front end whose tools run unconfined. */
export const needy = defineTool({
  name: 'needy',
  displayName: 'Needy',
  description: 'Needs the network.',
  kind: 'execute',
  input: z.object({}),
  plan: () => ({ title: 'needy', resources: [], repeat: 'resumable', byDefault: 'ask_user' }),
  run: (_, { plan }) => {
    if (!plan.needs) throw new ToolFailure({ code: 'sandbox_denied', need: NETWORK, exitCode: 6 }, '');
    return { llmContent: 'connected', returnDisplay: 'connected' };
  },
});
