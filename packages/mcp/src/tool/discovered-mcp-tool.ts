import { type Checked, type PlanDraft, type RunContext, type Tool } from '@countersign/engine';
import { describeIssues, schemaIssues, unifiedDiff } from '@countersign/host';
import {
  type Confirmation,
  type DeclaredResource,
  type Json,
  type JsonObject,
  ToolFailure,
  type ToolResult,
} from '@countersign/protocol';
import { stripInvisible, untrusted } from '@countersign/tools';
import {
  changesBetween,
  type Definition,
  definitionHash,
  definitionText,
  type Origin,
  unboundHash,
} from '../definitions/definition.js';
import type { PinnedDefinitions } from '../definitions/pinned-definitions.js';
import { type SchemaCheck, schemaCheck } from '../schema/schema-check.js';
import { MCP_TOOL_ERROR } from '../servers/call-failure.js';
import type { ServerLink } from '../servers/server-link.js';
import { whyUnusable } from '../servers/server-status.js';
import { inOneLine, wordsOf } from '../text/in-words.js';
import { contentsOf } from './contents.js';

export type DiscoveredOptions = {
  readonly name: string;
  readonly definition: Definition;
  readonly link: ServerLink;
  readonly pins: PinnedDefinitions;
  readonly origin: Origin;
  /** Longer than a call may take: the time is kept by the call itself. */
  readonly timeoutMs: number;
  /** The tool of this name that its server offers now; null if there is none. */
  readonly current: () => DiscoveredMCPTool | null;
};

/** A tool that a server offers, as it describes it. */
export class DiscoveredMCPTool implements Tool {
  readonly name: string;
  readonly displayName: string;
  readonly description: string;
  readonly kind = 'other';
  readonly inputSchema: JsonObject;
  readonly canUpdateOutput = false;
  /** A cancelled request is never answered, so an answer is that of the whole call. */
  readonly whenStopped = 'throws';
  readonly timeoutMs: number;
  readonly server: string;
  readonly tool: string;
  /** Names this very description of it. */
  readonly definition: string;
  readonly #options: DiscoveredOptions;
  readonly #standing: StandingPlan;
  #checkArgs: SchemaCheck | null = null;
  #checkOutput: SchemaCheck | null = null;

  constructor(options: DiscoveredOptions) {
    const { definition, link, origin } = options;
    this.name = options.name;
    this.displayName = inOneLine(definition.title);
    this.description =
      stripInvisible(definition.description) || `${definition.name} of the MCP server ${link.name}.`;
    this.inputSchema = definition.inputSchema;
    this.timeoutMs = options.timeoutMs;
    this.server = link.name;
    this.tool = definition.name;
    this.definition = definitionHash(definition, origin);
    this.#options = options;
    this.#standing = this.#planStanding();
  }

  get mcpServer(): string {
    return this.server;
  }

  check(args: JsonObject): Checked {
    try {
      this.#checkArgs ??= schemaCheck(this.inputSchema);
      const issues = schemaIssues(this.#checkArgs(args), args);
      if (issues.length === 0) return { ok: true, args };
      return {
        ok: false,
        problems: describeIssues({ tool: this.name, schema: this.inputSchema, args, issues }),
      };
    } catch (error) {
      // What was not checked does not pass.
      return {
        ok: false,
        problems: [`the arguments cannot be checked against its schema: ${wordsOf(error)}`],
      };
    }
  }

  plan(args: JsonObject): PlanDraft {
    const { pins } = this.#options;
    const { server, tool } = this;
    this.#checkUsable();
    const pinned = pins.get(server, tool);
    const before = pinned !== null && !this.#isAgreedTo(pinned.hash) ? pinned.text : null;
    return new CallPlan(this.#standing, before !== null, () => this.#confirmation(args, before));
  }

  async run(args: JsonObject, context: RunContext): Promise<ToolResult> {
    const { link, pins, definition, origin, current } = this.#options;
    const { server, tool } = this;
    if (link.isChanging) await link.upToDate(context.signal);
    const granted = context.plan.resources.find((resource) => resource.kind === 'mcp');
    const offered = current();
    // Without the server there is no tool to compare with: it did not change.
    if (offered === null) this.#checkUsable();
    // What was judged and agreed to is the tool as it was described then.
    if (offered?.definition !== granted?.definition)
      throw new ToolFailure({ code: 'mcp_tool_changed', server, tool });
    if (context.permit.type === 'person' || context.permit.type === 'grant')
      pins.pin(server, tool, { hash: this.definition, text: definitionText(definition, origin) });
    const { content, structured, isError } = await link.call(tool, args, context);
    const { llmContent, display } = contentsOf(content, structured);
    if (isError) {
      const words = untrusted(stripInvisible(display));
      throw new ToolFailure({
        code: 'execution_failed',
        message: `${tool} on the MCP server "${server}" reported an error:\n${words}`,
        type: MCP_TOOL_ERROR,
      });
    }
    this.#checkAgainstOutputSchema(structured, display);
    return { llmContent, returnDisplay: display };
  }

  #checkUsable(): void {
    const { server } = this;
    const problem = whyUnusable(this.#options.link.status);
    if (problem !== null) throw new ToolFailure({ code: 'mcp_unavailable', server, problem });
  }

  /** Consent from before it was bound to `serverInfo` counts until a call binds it. */
  #isAgreedTo(hash: string): boolean {
    const { definition, origin } = this.#options;
    return hash === this.definition || hash === unboundHash(definition, origin);
  }

  #planStanding(): StandingPlan {
    const { definition, link } = this.#options;
    const { trust } = link.settings;
    return {
      title: `${this.displayName} on the MCP server ${this.server}`,
      resource: {
        kind: 'mcp',
        server: this.server,
        tool: this.tool,
        // A hint is believed of whom the person trusts; it never stands for permission.
        access: trust && definition.annotations['readOnlyHint'] === true ? 'read' : 'write',
        definition: this.definition,
      },
      annotations: { ...definition.annotations, _serverName: this.server },
      byDefault: trust ? 'allow' : 'ask_user',
    };
  }

  /** `before`: how it was described when it was last agreed to; null if that is how it is now, or it was never approved. */
  #confirmation(args: JsonObject, before: string | null): Confirmation {
    const { definition, origin } = this.#options;
    const { server, tool } = this;
    const now = definitionText(definition, origin);
    const { text } = unifiedDiff(tool, before, now);
    const changes = before === null ? [] : changesBetween(before, now);
    const warning =
      before === null
        ? ''
        : `This tool has changed since you last approved it${changes.length > 0 ? ` (${changes.join(', ')})` : ''}:\n${text}\nIts description now:\n`;
    return {
      type: 'mcp',
      title: `${this.displayName} on the MCP server ${server}`,
      serverName: server,
      toolName: tool,
      toolDisplayName: this.displayName,
      toolArgs: args,
      toolDescription: `${warning}${definition.description}`,
    };
  }

  #checkAgainstOutputSchema(structured: Json | undefined, display: string): void {
    const { outputSchema } = this.#options.definition;
    if (outputSchema === null) return;
    const problem = this.#outputProblem(outputSchema, structured);
    if (problem === null) return;
    const message = `${this.tool} on the MCP server "${this.server}" ran, but its result does not match the output schema of the server: ${problem}.\n${untrusted(stripInvisible(display))}`;
    throw new ToolFailure({ code: 'execution_failed', message, type: MCP_TOOL_ERROR });
  }

  #outputProblem(schema: JsonObject, structured: Json | undefined): string | null {
    if (structured === undefined) return 'it has no structured content';
    try {
      this.#checkOutput ??= schemaCheck(schema);
      const issues = schemaIssues(this.#checkOutput(structured), structured);
      if (issues.length === 0) return null;
      return describeIssues({ tool: this.name, schema, args: structured, issues }).join('; ');
    } catch (error) {
      return `it cannot be checked against its schema: ${wordsOf(error)}`;
    }
  }
}

/** What every plan of a tool has in common. */
type StandingPlan = Required<Pick<PlanDraft, 'title' | 'annotations' | 'byDefault'>> & {
  readonly resource: Extract<DeclaredResource, { kind: 'mcp' }>;
};

/** A class, since an object literal with a getter costs more than the rest of a plan. */
class CallPlan implements PlanDraft {
  readonly title: string;
  readonly resources: PlanDraft['resources'];
  readonly repeat = 'unsafe';
  readonly annotations: JsonObject;
  readonly byDefault: 'allow' | 'ask_user';
  readonly #confirmation: () => Confirmation;

  constructor(standing: StandingPlan, isRedefined: boolean, confirmation: () => Confirmation) {
    const { title, resource, annotations, byDefault } = standing;
    this.title = title;
    this.resources = [isRedefined ? { ...resource, redefined: true } : resource];
    this.annotations = annotations;
    this.byDefault = byDefault;
    this.#confirmation = confirmation;
  }

  get confirmation(): Confirmation {
    return this.#confirmation();
  }
}
