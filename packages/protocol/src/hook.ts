import type { JsonObject } from './json/json.js';

/** The combined result of the hooks of a call, if any. */
export type HookAdvice = {
  readonly decision: 'deny' | 'ask' | 'allow';
  /** Which hook said so, for people: its name, or its command. */
  readonly by: string;
  readonly reason: string;
};

/** One hook that ran for a call: who said what, for the record. */
export type HookNote = {
  readonly hook: string;
  /** Where it is set up: file and path in it. */
  readonly source: string;
  readonly said: 'nothing' | 'deny' | 'ask' | 'allow' | 'stop' | 'failed';
  readonly reason: string | null;
  readonly durationMs: number;
};

/** The call whose AfterTool hook asked for this one, and whose place its result takes. */
export type FollowUp = {
  readonly callId: string;
  /** The tool that was asked for at first, under whose name the result is handed back. */
  readonly name: string;
  /** How many calls stand between that one and this. */
  readonly depth: number;
};

export type TailCall = { readonly name: string; readonly args: JsonObject };
