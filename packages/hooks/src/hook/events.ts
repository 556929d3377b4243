import type { Json, JsonObject } from '@countersign/protocol';

/** The fields of each event on a hook's stdin beside the common ones, as in Gemini CLI. */
export type HookPayloads = {
  readonly BeforeTool: ToolFields;
  readonly AfterTool: ToolFields & { readonly tool_response: ToolResponse };
  readonly BeforeAgent: { readonly prompt: string };
  readonly AfterAgent: {
    readonly prompt: string;
    readonly prompt_response: string;
    readonly stop_hook_active: boolean;
  };
  readonly BeforeModel: { readonly llm_request: JsonObject };
  readonly AfterModel: { readonly llm_request: JsonObject; readonly llm_response: JsonObject };
  readonly BeforeToolSelection: { readonly llm_request: JsonObject };
  readonly SessionStart: { readonly source: 'startup' | 'resume' | 'clear' };
  readonly SessionEnd: { readonly reason: 'exit' | 'clear' | 'logout' | 'prompt_input_exit' | 'other' };
  readonly PreCompress: { readonly trigger: 'auto' | 'manual' };
  readonly Notification: {
    readonly notification_type: 'ToolPermission';
    readonly message: string;
    readonly details: JsonObject;
  };
};
export type HookEvent = keyof HookPayloads;

export type ToolFields = {
  readonly tool_name: string;
  readonly tool_input: JsonObject;
  /** Which server a tool of MCP belongs to, and how that is reached. */
  readonly mcp_context?: JsonObject;
  /** The tool that was asked for at first, where this call follows up on that one. */
  readonly original_request_name?: string;
};
export type ToolResponse = {
  readonly llmContent: Json;
  readonly returnDisplay: Json;
  readonly error?: JsonObject;
};

export type EventTraits<E extends HookEvent> = {
  /** What a matcher is: a pattern for the name of a tool, one of some words, or nothing that has a meaning. */
  readonly matcher: 'pattern' | readonly string[] | 'none';
  readonly subject: (payload: HookPayloads[E]) => string | null;
  /** Whether a hook can refuse what the event announces. Other events only notify it. */
  readonly refusable: boolean;
  /**
   * What plain text with exit code 0 is: a message to the user, or invalid. Hooks that decide whether something happens
   * must respond in JSON; what the other events announce has already happened.
   */
  readonly plainText: 'message' | 'invalid';
};

const deciding = { matcher: 'none', subject: () => null, refusable: true, plainText: 'invalid' } as const;
const reviewing = { ...deciding, plainText: 'message' } as const;
const notified = { refusable: false, plainText: 'message' } as const;
const ofTool = {
  matcher: 'pattern',
  subject: ({ tool_name }: ToolFields) => tool_name,
  refusable: true,
} as const;

export const EVENTS: { readonly [E in HookEvent]: EventTraits<E> } = {
  BeforeTool: { ...ofTool, plainText: 'invalid' },
  AfterTool: { ...ofTool, plainText: 'message' },
  BeforeAgent: deciding,
  AfterAgent: reviewing,
  BeforeModel: deciding,
  AfterModel: reviewing,
  BeforeToolSelection: deciding,
  SessionStart: {
    ...notified,
    matcher: ['startup', 'resume', 'clear'],
    subject: ({ source }) => source,
  },
  SessionEnd: {
    ...notified,
    matcher: ['exit', 'clear', 'logout', 'prompt_input_exit', 'other'],
    subject: ({ reason }) => reason,
  },
  PreCompress: { ...notified, matcher: ['auto', 'manual'], subject: ({ trigger }) => trigger },
  Notification: {
    ...notified,
    matcher: ['ToolPermission'],
    subject: ({ notification_type }) => notification_type,
  },
};

export const isHookEvent = (name: string): name is HookEvent => Object.hasOwn(EVENTS, name);
