import type { FunctionDeclaration } from '@countersign/engine';
import { normalSchema } from '@countersign/host';
import { explain } from '@countersign/protocol';
import type { MessageBus } from '../config/message-bus.js';
import { SchemaValidator } from '../schema/schema-validator.js';
import type { Kind } from '../types/enums.js';
import type { DeclarativeTool, ToolInvocation, ToolResult } from '../types/tool-types.js';

/**
 * A tool in the class style: it checks parameters and makes invocations.
 *
 * @example
 * ```ts
 * class Wait extends BaseDeclarativeTool<{ ms: number }, ToolResult> {
 *   constructor() {
 *     super('wait', 'Wait', 'Waits.', Kind.Think, { type: 'object', properties: { ms: { type: 'number' } } });
 *   }
 *   protected createInvocation(params: { ms: number }) {
 *     return new Waiting(params);
 *   }
 * }
 * class Waiting extends BaseToolInvocation<{ ms: number }, ToolResult> {
 *   getDescription() {
 *     return `Wait ${this.params.ms} ms`;
 *   }
 *   async execute() {
 *     await new Promise((resolve) => setTimeout(resolve, this.params.ms));
 *     return { llmContent: 'Done.', returnDisplay: 'Done.' };
 *   }
 * }
 * registry.registerTool(new Wait());
 * ```
 */
export abstract class BaseDeclarativeTool<TParams extends object, TResult extends ToolResult>
  implements DeclarativeTool<TParams, TResult>
{
  constructor(
    readonly name: string,
    readonly displayName: string,
    readonly description: string,
    readonly kind: Kind,
    /** JSON Schema of the parameters; the spelling of the Gemini API is understood too. */
    readonly parameterSchema: object,
    readonly isOutputMarkdown: boolean = true,
    readonly canUpdateOutput: boolean = false,
    readonly messageBus?: MessageBus,
  ) {}

  /** Makes the invocation, for parameters that are valid. */
  protected abstract createInvocation(
    params: TParams,
    messageBus?: MessageBus,
  ): ToolInvocation<TParams, TResult>;

  get schema(): FunctionDeclaration {
    return this.getSchema();
  }

  /** The declaration for models. Override to describe the tool differently per model. */
  getSchema(_modelId?: string): FunctionDeclaration {
    const { name, description } = this;
    return { name, description, parametersJsonSchema: normalSchema(this.parameterSchema) };
  }

  /** What is wrong with the parameters, or null. */
  validateToolParams(params: TParams): string | null {
    return (
      SchemaValidator.validate(this.parameterSchema, params, this.name) ??
      this.validateToolParamValues(params)
    );
  }

  /** Checks what the schema cannot express: override it, and return the reason or null. */
  protected validateToolParamValues(_params: TParams): string | null {
    return null;
  }

  /** A call that is ready to be asked about and run; throws with the reason if the parameters are wrong. */
  build(params: TParams): ToolInvocation<TParams, TResult> {
    const problem = this.validateToolParams(params);
    if (problem !== null) throw new Error(problem);
    return this.createInvocation(params, this.messageBus);
  }

  /** The same as `build`. */
  validate(params: TParams): ToolInvocation<TParams, TResult> {
    return this.build(params);
  }

  /** Runs it here and now, past policy and every question: for programs that call their own tools. */
  async buildAndExecute(
    params: TParams,
    signal: AbortSignal,
    updateOutput?: (text: string) => void,
  ): Promise<TResult> {
    return this.build(params).execute(signal, updateOutput);
  }

  /** The same, with every failure as a result. */
  async validateBuildAndExecute(params: TParams, signal: AbortSignal): Promise<TResult | ToolResult> {
    let invocation: ToolInvocation<TParams, TResult>;
    try {
      invocation = this.build(params);
    } catch (thrown) {
      const problems = [wordsOf(thrown)];
      return failed(
        explain({ code: 'invalid_tool_params', name: this.name, problems }).message,
        'invalid_tool_params',
      );
    }
    try {
      return await invocation.execute(signal);
    } catch (thrown) {
      return failed(wordsOf(thrown), 'execution_failed');
    }
  }
}

const failed = (message: string, type: 'invalid_tool_params' | 'execution_failed'): ToolResult => ({
  llmContent: message,
  returnDisplay: message,
  error: { message, type },
});

const wordsOf = (thrown: unknown): string => (thrown instanceof Error ? thrown.message : String(thrown));
