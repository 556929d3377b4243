import type { Toolbox } from '@countersign/engine';
import { describeIssues, normalSchema, schemaIssues } from '@countersign/host';
import { explain, type JsonObject } from '@countersign/protocol';
import type { Settings } from '../settings/settings.js';
import type { InForce } from './in-force.js';

export type DiscoveryPlace = Pick<InForce, 'doubtAboutCommand'> & {
  readonly settings: Settings;
  readonly workspace: string;
  readonly env: NodeJS.ProcessEnv;
  /** Receives why tools are missing. */
  readonly onMessage: (text: string) => void;
};

/**
 * Registers the tools that `toolDiscoveryCommand` lists, after all others, whose names they cannot take. What fails is reported and
 * leaves the rest as it is.
 */
export async function registerDiscovered(tools: Toolbox, place: DiscoveryPlace): Promise<void> {
  const { settings, workspace, env, onMessage, doubtAboutCommand } = place;
  const discoveryCommand = settings.get('toolDiscoveryCommand').value;
  const callCommand = settings.get('toolCallCommand').value;
  if (discoveryCommand === null) return;
  if (callCommand === null) {
    onMessage('toolDiscoveryCommand is set but toolCallCommand is not, so no tool was discovered. Set both.');
    return;
  }
  const { discoverTools, isReservedName } = await import('@countersign/tools');
  const discovery = await discoverTools({
    ...{ discoveryCommand, callCommand, workspace, env },
    pass: settings.get('passEnvironment').value,
    schemas: await boundedSchemas(),
    isTaken: (name) => isReservedName(name) || tools.get(name) !== undefined,
    doubt: async () =>
      (await doubtAboutCommand('toolDiscoveryCommand')) ?? (await doubtAboutCommand('toolCallCommand')),
  });
  if (!discovery.ok) {
    const { message, hint } = explain(discovery.failure);
    onMessage(`${message} ${hint}`);
    return;
  }
  for (const problem of discovery.problems) onMessage(`A discovered tool is skipped: ${problem}.`);
  for (const tool of discovery.tools) tools.register(tool);
}

/** A declared schema is foreign: it is checked as that of a server is, in limited time. */
async function boundedSchemas() {
  const { schemaCheck, schemaProblem } = await import('@countersign/mcp');
  return {
    normal: (schema: JsonObject): JsonObject => {
      const normal = normalSchema(schema);
      const problem = schemaProblem(normal);
      if (problem !== null) throw new Error(problem);
      return normal;
    },
    problemOf: (schema: JsonObject, args: JsonObject, tool: string): string | null => {
      try {
        const issues = schemaIssues(schemaCheck(schema)(args), args);
        return issues.length === 0 ? null : describeIssues({ tool, schema, args, issues }).join('; ');
      } catch (error) {
        // What was not checked does not pass.
        const reason = error instanceof Error ? error.message : String(error);
        return `the arguments cannot be checked against its schema: ${reason}`;
      }
    },
  };
}
