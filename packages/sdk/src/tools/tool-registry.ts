import { declarationOf, type FunctionDeclaration, type Tool, Toolbox } from '@countersign/engine';
import { normalSchema } from '@countersign/host';
import type { Failure, JsonObject } from '@countersign/protocol';
import { discoverTools, isReservedName } from '@countersign/tools';
import { Config } from '../config/config.js';
import { SchemaValidator } from '../schema/schema-validator.js';
import { type AnyTool, isDeclarativeTool, isEngineTool } from '../types/any-tool.js';
import type { BuiltInTool, BuiltInToolName } from '../types/built-in-types.js';
import type { DeclarativeTool, PlainTool } from '../types/tool-types.js';
import { ToolCallError } from '../wires/function-response.js';
import { toEngineTool } from './engine-tool.js';
import type { Surroundings } from './surroundings.js';

/** A toolbox of a scheduler, with the context of its tools. */
type InUse = { readonly box: WeakRef<Toolbox>; readonly surroundings: Surroundings };

/**
 * The tools of a program, in any of the three styles.
 *
 * @example
 * ```ts
 * const registry = new ToolRegistry(config);
 * registerBuiltInTools(registry, config);
 * show(registry.getAllToolNames());
 * ```
 */
export class ToolRegistry {
  readonly #config: Config;
  readonly #tools = new Map<string, AnyTool>();
  /** For names and other spellings of them. */
  readonly #names: Toolbox;
  readonly #surroundings: Surroundings;
  readonly #absences = new Set<(name: string) => Failure | null>();
  #inUse: readonly InUse[] = [];
  #discovered: readonly Tool[] = [];

  constructor(config: Config = new Config()) {
    this.#config = config;
    this.#surroundings = { config, wantsOutput: () => false };
    this.#names = this.toolbox(this.#surroundings);
  }

  /** Makes a tool callable. One of the same name is replaced without a warning, also for schedulers that are running. */
  registerTool<TParams extends object = JsonObject>(tool: PlainTool<TParams>): void;
  registerTool(tool: Tool | DeclarativeTool): void;
  registerTool(tool: AnyTool): void;
  registerTool(tool: AnyTool): void {
    const missing = missingParts(tool);
    if (missing !== null) throw new Error(`This value cannot be registered as a tool: ${missing}.`);
    this.#tools.set(tool.name, tool);
    this.#eachInUse((box, surroundings) => {
      box.register(toEngineTool(tool, surroundings));
      surroundings.config.getPolicyEngine().knowAliases(box.aliases());
    });
  }

  /** Returns whether there was one. Calls of it that have not started end in an error. */
  unregisterTool(name: string): boolean {
    this.#eachInUse((box) => box.unregister(name));
    return this.#tools.delete(name);
  }

  /** The tool as it was registered, also by a name that models give it by mistake. */
  getTool(name: BuiltInToolName): BuiltInTool | undefined;
  getTool(nameOrAlias: string): AnyTool | undefined;
  getTool(nameOrAlias: string): AnyTool | undefined {
    const name = this.#names.get(nameOrAlias)?.name;
    return name === undefined ? undefined : this.#tools.get(name);
  }

  /** In the order of their registration. */
  getAllTools(): AnyTool[] {
    return [...this.#tools.values()];
  }

  /** The tools of one MCP server. */
  getToolsByServer(serverName: string): AnyTool[] {
    return this.getAllTools().filter((tool) => serverOf(tool) === serverName);
  }

  getAllToolNames(): string[] {
    return [...this.#tools.keys()];
  }

  /** Every tool by its name, also those that policy hides from models. */
  get allKnownTools(): ReadonlyMap<string, AnyTool> {
    return new Map(this.#tools);
  }

  /** The declarations for a model. A tool that policy denies whatever its arguments is not offered: that would only mislead. */
  getFunctionDeclarations(modelId?: string): FunctionDeclaration[] {
    const policy = this.#config.getPolicyEngine().asPolicy();
    const mode = this.#config.getApprovalMode();
    return this.getAllTools()
      .filter((tool) => !policy.deniesOutright(tool.name, mode, serverOf(tool)))
      .map((tool) => this.#declarationOf(tool, modelId));
  }

  /**
   * Asks the command that the configuration names which tools the project has, and registers them in place of those it
   * found before. Throws, with nothing changed, if the command fails. A declaration that cannot be used is warned of.
   */
  async discoverTools(): Promise<AnyTool[]> {
    const discoveryCommand = this.#config.getToolDiscoveryCommand();
    const callCommand = this.#config.getToolCallCommand();
    if (discoveryCommand === undefined) return [];
    if (callCommand === undefined)
      throw new Error(
        'toolDiscoveryCommand is set but toolCallCommand is not: the tools could not be called.',
      );
    const discovery = await discoverTools({
      discoveryCommand,
      callCommand,
      workspace: this.#config.getTargetDir(),
      env: process.env,
      schemas: { normal: normalSchema, problemOf: SchemaValidator.validate },
      isTaken: (name) =>
        isReservedName(name) || (!this.#isDiscovered(name) && this.getTool(name) !== undefined),
    });
    if (!discovery.ok) throw new ToolCallError(discovery.failure);
    for (const problem of discovery.problems)
      process.emitWarning(`A discovered tool is skipped: ${problem}.`);
    for (const tool of this.#discovered) if (this.#isDiscovered(tool.name)) this.unregisterTool(tool.name);
    for (const tool of discovery.tools) this.registerTool(tool);
    this.#discovered = discovery.tools;
    return [...discovery.tools];
  }

  /** Another tool may have been registered under the name of a discovered one. */
  #isDiscovered(name: string): boolean {
    const tool = this.getTool(name);
    return this.#discovered.some((discovered) => discovered === tool);
  }

  /** For schedulers: the tools as the engine's, kept equal to what is registered for as long as it is used. */
  toolbox(surroundings: Surroundings): Toolbox {
    const box = new Toolbox(this.getAllTools().map((tool) => toEngineTool(tool, surroundings)));
    box.explainMissing((name) => this.#absenceOf(name));
    this.#inUse = [...this.#inUse, { box: new WeakRef(box), surroundings }];
    surroundings.config.getPolicyEngine().knowAliases(box.aliases());
    return box;
  }

  /** For sources of tools: why one of theirs is not there, null for those of others. Returns how to stop. */
  explainMissing(explain: (name: string) => Failure | null): () => void {
    this.#absences.add(explain);
    return () => this.#absences.delete(explain);
  }

  #absenceOf(name: string): Failure | null {
    for (const explain of this.#absences) {
      const failure = explain(name);
      if (failure) return failure;
    }
    return null;
  }

  #declarationOf(tool: AnyTool, modelId: string | undefined): FunctionDeclaration {
    if (!isEngineTool(tool) && isDeclarativeTool(tool)) return tool.getSchema(modelId);
    return declarationOf(this.#names.get(tool.name) ?? toEngineTool(tool, this.#surroundings), modelId);
  }

  #eachInUse(change: (box: Toolbox, surroundings: Surroundings) => void): void {
    this.#inUse = this.#inUse.filter(({ box }) => box.deref() !== undefined);
    for (const { box, surroundings } of this.#inUse) {
      const live = box.deref();
      if (live) change(live, surroundings);
    }
  }
}

const serverOf = (tool: AnyTool): string | null => (isEngineTool(tool) ? (tool.mcpServer ?? null) : null);

/** What JavaScript may have forgotten; null if nothing. */
function missingParts(tool: AnyTool): string | null {
  if (typeof tool !== 'object' || tool === null) return 'it is not an object';
  if (typeof tool.name !== 'string' || tool.name === '') return 'it has no name';
  if (isEngineTool(tool) || isDeclarativeTool(tool)) return null;
  return typeof tool.execute === 'function'
    ? null
    : `${tool.name} has neither execute, nor build, nor plan and run`;
}
