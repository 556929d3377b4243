import { canonicalJson, type Failure, familyOf, type JsonObject } from '@countersign/protocol';
import { sha256 } from '../values/hash.js';
import { nearest } from './nearest.js';
import type { Tool } from './tool.js';
import type { ToolAliases } from './tool-names.js';

export type Resolved = { readonly tool: Tool; readonly args: JsonObject; readonly calledAs: string | null };

export type FunctionDeclaration = {
  readonly name: string;
  readonly description: string;
  readonly parametersJsonSchema: JsonObject;
};

type Declared = { readonly modelId: string | undefined; readonly declaration: FunctionDeclaration };

/** The tools a session can call, by their names and the names that models give them by mistake. */
export class Toolbox {
  readonly #tools = new Map<string, Tool>();
  readonly #aliases = new Map<string, Tool[]>();
  readonly #absences = new Set<(name: string) => Failure | null>();
  readonly #definitions = new WeakMap<Tool, string>();
  /** The latest declarations: they are part of every request to a model. */
  readonly #declared = new WeakMap<Tool, Declared>();

  constructor(tools: Iterable<Tool> = []) {
    for (const tool of tools) this.register(tool);
  }

  /** A tool of the same name is replaced. */
  register(tool: Tool): void {
    this.unregister(tool.name);
    this.#tools.set(tool.name, tool);
    for (const alias of tool.aliases ?? []) {
      const sharing = this.#aliases.get(alias.name);
      if (sharing) sharing.push(tool);
      else this.#aliases.set(alias.name, [tool]);
    }
  }

  unregister(name: string): boolean {
    const tool = this.#tools.get(name);
    if (!tool) return false;
    this.#tools.delete(name);
    for (const alias of tool.aliases ?? []) {
      const others = this.#aliases.get(alias.name)?.filter((other) => other !== tool) ?? [];
      if (others.length > 0) this.#aliases.set(alias.name, others);
      else this.#aliases.delete(alias.name);
    }
    return true;
  }

  /** The tool of that name; by an alias, the first that has it. Which one a call means, `resolve` says. */
  get(name: string): Tool | undefined {
    return this.#tools.get(name) ?? this.#aliases.get(name)?.[0];
  }

  /** Every alias in use, and the tools that share it. A tool whose own name it is takes it from them. */
  aliases(): ToolAliases {
    return new Map(
      [...this.#aliases]
        .filter(([alias]) => !this.#tools.has(alias))
        .map(([alias, tools]) => [alias, tools.map(({ name }) => name)]),
    );
  }

  /** What else a tool is called. */
  aliasesOf(name: string): readonly string[] {
    const aliases = this.#tools.get(name)?.aliases ?? [];
    return aliases.flatMap((alias) => (this.#tools.has(alias.name) ? [] : [alias.name]));
  }

  all(): readonly Tool[] {
    return [...this.#tools.values()];
  }

  /** The tool that is meant and the arguments under its own names; undefined if no tool is. */
  resolve(name: string, args: JsonObject): Resolved | undefined {
    const exact = this.#tools.get(name);
    if (exact) return { tool: exact, args: exact.renameArgs?.(args) ?? args, calledAs: null };
    const tool = this.#aliases.get(name)?.find((candidate) => this.#serves(candidate, name, args));
    return tool && { tool, args: tool.renameArgs?.(args) ?? args, calledAs: name };
  }

  /** Why there is no tool of this name, and which ones were perhaps meant. */
  missing(name: string): Failure {
    for (const explain of this.#absences) {
      const failure = explain(name);
      if (failure) return failure;
    }
    return { code: 'tool_not_registered', name, nearest: nearest(name, this.#tools.keys()) };
  }

  /** Lets a source of tools say why one of its own is not there; null for those of others. Returns how to stop. */
  explainMissing(explain: (name: string) => Failure | null): () => void {
    this.#absences.add(explain);
    return () => this.#absences.delete(explain);
  }

  /** With the descriptions for the model's family; without a model, the general ones. */
  declarations(modelId?: string): readonly FunctionDeclaration[] {
    return this.all().map((tool) => {
      const made = this.#declared.get(tool);
      if (made && made.modelId === modelId) return made.declaration;
      const declaration = declarationOf(tool, modelId);
      this.#declared.set(tool, { modelId, declaration });
      return declaration;
    });
  }

  /** Hash of the declaration of a tool: an approval is bound to it. */
  definitionHash(tool: Tool): string {
    let hash = this.#definitions.get(tool);
    if (!hash) {
      hash = sha256(canonicalJson([tool.name, tool.description, tool.kind, tool.inputSchema]));
      this.#definitions.set(tool, hash);
    }
    return hash;
  }

  #serves(tool: Tool, name: string, args: JsonObject): boolean {
    return tool.aliases?.some((alias) => alias.name === name && (alias.when?.(args) ?? true)) ?? false;
  }
}

export function declarationOf(
  tool: Pick<Tool, 'name' | 'description' | 'inputSchema' | 'overrides'>,
  modelId?: string,
): FunctionDeclaration {
  const words = modelId === undefined ? null : tool.overrides?.(familyOf(modelId));
  return {
    name: tool.name,
    description: words?.description ?? tool.description,
    parametersJsonSchema: words?.inputSchema ?? tool.inputSchema,
  };
}
