import { Agent, type AgentEvent, type AgentOptions, type Ending, openLiveSession } from '@countersign/agent';
import { type Journal, memoryJournal, type Tool, Toolbox } from '@countersign/engine';
import { type Script, type ScriptedProvider, scriptedProvider } from '@countersign/models';
import { type ApprovalMode, explain } from '@countersign/protocol';
import { plainPolicy } from '@countersign/testkit';

export type Working = {
  readonly agent: Agent;
  readonly provider: ScriptedProvider;
  readonly live: Awaited<ReturnType<typeof open>>;
  /** Work on a prompt to its end. */
  readonly say: (text: string, signal?: AbortSignal) => Promise<Worked>;
};
export type Worked = { readonly events: readonly AgentEvent[]; readonly ending: Ending };

/** An agent on a real session with a scripted model. */
export async function working(
  script: Script,
  tools: readonly Tool[] = [],
  options: Partial<AgentOptions> & {
    readonly mode?: ApprovalMode;
    readonly journal?: Journal;
    readonly onEvent?: (event: AgentEvent) => void;
  } = {},
): Promise<Working> {
  const { mode, journal = memoryJournal({ keep: 'all' }), onEvent, ...rest } = options;
  const toolbox = new Toolbox(tools);
  const live = await open(journal, toolbox, mode);
  const provider = scriptedProvider(script);
  const agent = new Agent(live, {
    provider,
    model: 'scripted',
    workspace: '/w',
    system: () => 'Be brief.',
    tools: toolbox,
    policy: plainPolicy(),
    attended: 'somebody',
    ...rest,
  });
  const say = async (text: string, signal = new AbortController().signal): Promise<Worked> => {
    const events: AgentEvent[] = [];
    const work = agent.prompt([{ text }], { signal, by: 'me', promptId: 'p' });
    for (;;) {
      const next = await work.next();
      if (next.done) return { events, ending: next.value };
      events.push(next.value);
      onEvent?.(next.value);
    }
  };
  return { agent, provider, live, say };
}

async function open(journal: Journal, tools: Toolbox, mode: ApprovalMode | undefined) {
  const opened = await openLiveSession({
    journal,
    sessionId: 'test',
    workspace: '/w',
    tools,
    policy: plainPolicy(),
    classify: () => ({ place: 'workspace', guarded: null }),
    ...(mode && { mode }),
  });
  if (!opened.ok) throw new Error(explain(opened.failure).message);
  return opened.live;
}

export const typesOf = ({ events }: Worked): readonly string[] => events.map(({ type }) => type);
