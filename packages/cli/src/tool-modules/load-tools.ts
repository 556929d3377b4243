import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import type { PlanContext, PlanDraft, ResumeContext, RunContext, Tool } from '@countersign/engine';
import {
  type GrantPattern,
  type JsonObject,
  MODEL_FAMILIES,
  ToolFailure,
  type ToolResult,
} from '@countersign/protocol';
import * as z from 'zod';
import { CommandFailure, messageOf } from '../io/failure-text.js';
import type { Asked, AskedNow, AskNow, DeclaredTool, Note, SentPlan, Work } from './messages.js';
import { type CallPort, ToolModule } from './tool-module.js';

/** One thread for each module of a process, as a module is loaded once: its tools may share what they keep. */
const loaded = new Map<string, Promise<readonly Tool[]>>();

/** The tools of a module that the user names with `--tools`. */
export async function toolsFrom(given: string): Promise<readonly Tool[]> {
  const file = resolve(given);
  const invalid = (problem: string) =>
    new CommandFailure({ code: 'tool_module_invalid', file: given, problem });
  if (!existsSync(file)) throw invalid('there is no such file');
  const loading = loaded.get(file) ?? load(file);
  loaded.set(file, loading);
  try {
    return await loading;
  } catch (thrown) {
    loaded.delete(file);
    throw invalid(messageOf(thrown));
  }
}

async function load(file: string): Promise<readonly Tool[]> {
  const { module, tools } = await ToolModule.load(file);
  return tools.map((declared) => toolOf(declared, module));
}

/** A tool whose functions are messages to its thread. */
function toolOf(declared: DeclaredTool, module: ToolModule): Tool {
  const { aliases, overrides, has, ...tool } = declared;
  const { name } = tool;
  const ask = (question: AskNow) => module.ask(name, question);
  const run = (what: 'run' | 'resume') => async (args: JsonObject, context: RunContext | ResumeContext) => {
    const work: Work = { do: what, args, context: sentRun(context) };
    const { value, whole } = await module.call(name, work, runPort(context));
    return withEnd(Result.parse(value), whole && context.signal.aborted);
  };
  return {
    ...tool,
    aliases: aliases.map((alias, index) => ({
      name: alias.name,
      ...(alias.isConditional && { when: (args) => ask({ what: 'when', alias: index, args }) === true }),
    })),
    ...(overrides && { overrides: (family) => overrides[MODEL_FAMILIES.indexOf(family)] ?? null }),
    ...(has.renameArgs && { renameArgs: (args) => Args.parse(ask({ what: 'renameArgs', args })) }),
    ...(has.withContent && {
      withContent: async (args, newContent, original) => {
        const work: Work = { do: 'withContent', args, newContent, original };
        return Args.parse((await module.call(name, work, { signal: inTime() })).value);
      },
    }),
    // The thread checks them with the plan, since this must not wait for it.
    check: (args) => ({ ok: true, args }),
    plan: (args, context) => plan(declared, module, args, context),
    run: run('run'),
    ...(has.resume && { resume: run('resume') }),
    ...(has.leave && {
      leave: async ({ sessionId, sessionDirectory }) => {
        const context = { sessionId, sessionDirectory };
        await module.call(name, { do: 'leave', context }, { signal: inTime() });
      },
    }),
  };
}

/** The engine only sees that this side listens to the signal; what the tool itself says of its result comes first. */
const withEnd = (result: ToolResult, isWhole: boolean): ToolResult =>
  isWhole && typeof result === 'object' && result !== null && result.complete === undefined
    ? { ...result, complete: true }
    : result;

const SMALL_WORK_MS_MAX = 30_000; // what is no run has nothing to wait for
const inTime = () => AbortSignal.timeout(SMALL_WORK_MS_MAX);

// What a module returns is checked by the engine, as that of any tool.
const Result = z.custom<ToolResult>();
const Planned = z.custom<SentPlan>();
const Narrowed = z.custom<GrantPattern | null>();
const Args = z.custom<JsonObject>((value) => typeof value === 'object' && value !== null);
const Content = z.custom<Uint8Array | null>((value) => value === null || value instanceof Uint8Array);

async function plan(
  { name }: DeclaredTool,
  module: ToolModule,
  args: JsonObject,
  context: PlanContext,
): Promise<PlanDraft> {
  const { sessionId, callId, workspace, needs, asker } = context;
  const sent = { sessionId, callId, workspace, needs, ...(asker !== undefined && { asker }) };
  let draft = 0;
  const port: CallPort = {
    signal: context.signal,
    ask: async (asked) => (asked.what === 'earlier' ? context.earlier(asked.path) : null),
    askNow: (asked) => asked.what === 'wasRead' && context.wasRead(asked.path),
  };
  const work: Work = { do: 'plan', args, context: sent };
  const { value } = await module.call(name, work, port, (id) => {
    draft = id;
  });
  const planned = Planned.parse(value);
  if ('problems' in planned)
    throw new ToolFailure({ code: 'invalid_tool_params', name, problems: planned.problems });
  const { onAnswer, narrowGrant, leaves } = planned.functions;
  return {
    ...planned.draft,
    ...(onAnswer && {
      onAnswer: async (outcome, payload) => {
        await module.call(name, { do: 'answer', draft, outcome, payload }, { signal: inTime() });
      },
    }),
    ...(narrowGrant && {
      narrowGrant: (outcome, offered) =>
        Narrowed.parse(module.ask(name, { what: 'narrowGrant', draft, outcome, offered })),
    }),
    ...(leaves && {
      leaves: (path) => Content.parse(module.ask(name, { what: 'leaves', draft, path })),
    }),
  };
}

function sentRun(context: RunContext | ResumeContext) {
  const { sessionId, callId, workspace, attempt, plan: granted, permit, answers } = context;
  const startedAt = 'startedAt' in context ? context.startedAt : 0;
  return { sessionId, callId, workspace, attempt, plan: granted, permit, answers, startedAt };
}

function runPort(context: RunContext): CallPort {
  return {
    signal: context.signal,
    note: (note) => takeNote(note, context),
    ask: async (asked, signal) => askPerson(asked, context, signal),
    askNow: (asked) => directoryFor(asked, context),
  };
}

function takeNote(note: Note, context: RunContext): void {
  switch (note.what) {
    case 'setMode':
      return context.setMode(note.mode);
    case 'output':
      return context.updateOutput(note.text);
    case 'process':
      return context.process(note.pid);
    case 'progress':
      return context.progress(note.done, note.total, note.message);
  }
}

async function askPerson(asked: Asked, context: RunContext, signal: AbortSignal): Promise<unknown> {
  if (asked.what !== 'ask') return null;
  const { questions, asker } = asked;
  return context.ask(questions, { signal, ...(asker !== undefined && { asker }) });
}

function directoryFor({ what }: AskedNow, context: RunContext): string | null {
  if (what === 'wasRead') return null;
  return what === 'directory' ? context.directory : context.sessionDirectory;
}
