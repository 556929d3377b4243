import { Kind } from '../../types/enums.js';
import type {
  ExecuteOptions,
  ForcedDecision,
  ToolLocation,
  ToolOwnConfirmation,
  ToolResult,
} from '../../types/tool-types.js';
import { BaseDeclarativeTool } from '../base-declarative-tool.js';
import { BaseToolInvocation } from '../base-tool-invocation.js';

export type Params = { readonly target: string };
/** What a test makes of the tool. */
export type Behaviour = {
  readonly kind?: Kind;
  readonly locations?: (params: Params) => readonly ToolLocation[];
  readonly confirm?: (
    params: Params,
    forced: ForcedDecision | undefined,
  ) => Promise<ToolOwnConfirmation | false>;
  readonly execute?: (
    params: Params,
    update: ((text: string) => void) | undefined,
    options?: ExecuteOptions,
  ) => Promise<ToolResult>;
  readonly canUpdateOutput?: boolean;
};

/** A class-style tool that notes what is done with it. */
export class Deploy extends BaseDeclarativeTool<Params, ToolResult> {
  readonly built: DeployInvocation[] = [];
  readonly asked: (ForcedDecision | undefined)[] = [];
  readonly ran: DeployInvocation[] = [];

  constructor(readonly behaviour: Behaviour = {}) {
    const schema = { type: 'OBJECT', properties: { target: { type: 'STRING' } }, required: ['target'] };
    super(
      'deploy',
      'Deploy',
      'Deploy to a target.',
      behaviour.kind ?? Kind.Execute,
      schema,
      false,
      behaviour.canUpdateOutput ?? true,
    );
  }

  protected override validateToolParamValues({ target }: Params): string | null {
    return target === 'moon' ? '"target" must be on earth' : null;
  }

  protected createInvocation(params: Params): DeployInvocation {
    const invocation = new DeployInvocation(params, this);
    this.built.push(invocation);
    return invocation;
  }
}

export class DeployInvocation extends BaseToolInvocation<Params, ToolResult> {
  constructor(
    params: Params,
    readonly tool: Deploy,
  ) {
    super(params);
  }
  getDescription(): string {
    return `Deploy to ${this.params.target}`;
  }
  override toolLocations(): readonly ToolLocation[] {
    return this.tool.behaviour.locations?.(this.params) ?? [];
  }
  override async shouldConfirmExecute(
    signal: AbortSignal,
    forced?: ForcedDecision,
  ): Promise<ToolOwnConfirmation | false> {
    this.tool.asked.push(forced);
    const { confirm } = this.tool.behaviour;
    return confirm ? confirm(this.params, forced) : super.shouldConfirmExecute(signal, forced);
  }
  async execute(
    _signal: AbortSignal,
    update?: (text: string) => void,
    options?: ExecuteOptions,
  ): Promise<ToolResult> {
    this.tool.ran.push(this);
    const { execute } = this.tool.behaviour;
    return execute
      ? execute(this.params, update, options)
      : { llmContent: `deployed to ${this.params.target}`, returnDisplay: 'done' };
  }
}
