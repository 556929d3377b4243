import type { AgentStream } from '@countersign/react';
import type { ProgramCommand } from '@countersign/tui';
import type { SessionAtWork } from '../compose/compose-agent.js';
import type { Io } from '../io/io.js';
import { isKept } from '../options/options.js';
import { captured } from './captured.js';
import type { ModelAgents } from './model-agents.js';

export type SlashParts = {
  readonly io: Io;
  readonly store: string | undefined;
  readonly workspace: string;
  readonly atWork: SessionAtWork;
  readonly agents: ModelAgents;
  readonly stream: AgentStream;
};

const IN_MEMORY = 'This session is kept in memory only: there is no store to read.';

/** The slash commands that run commands of the program. */
export function slashCommands(parts: SlashParts): readonly ProgramCommand[] {
  const { io, store, workspace, atWork, agents, stream } = parts;
  const { sessionId } = atWork.live.session;
  const ofStore = store === undefined ? [] : ['--store', store];
  const inStore = (run: ProgramCommand['run']): ProgramCommand['run'] =>
    !isKept(store) ? async () => IN_MEMORY : run;
  return [
    {
      name: 'compact',
      args: '',
      help: 'summarise the conversation to free context',
      run: () => agents.compact(stream),
    },
    {
      name: 'export',
      args: 'FILE',
      help: 'write every event of this session to a file',
      run: inStore(async (rest) => {
        if (rest === '') return 'Name a file: /export session.jsonl';
        const { sessions } = await import('../sessions/sessions.js');
        return captured(sessions, ['export', sessionId, `--output=${rest}`, ...ofStore], io);
      }),
    },
    {
      name: 'grants',
      args: '[revoke ID]',
      help: 'list grants, and how to revoke them',
      run: inStore(async (rest) => {
        const { grants } = await import('../approvals/grants.js');
        return captured(grants, [...(rest === '' ? ['list'] : rest.split(/\s+/)), ...ofStore], io);
      }),
    },
    {
      name: 'mcp',
      args: '',
      help: "show each MCP server's status and tools",
      run: () => mcpText(atWork),
    },
    {
      name: 'model',
      args: '[NAME]',
      help: 'show or change the model',
      run: async (rest) => (rest === '' ? modelText(agents) : changeModel(rest, agents, stream)),
    },
    {
      name: 'policy',
      args: "['COMMAND']",
      help: 'show what the rules decide about a command, and why',
      run: async (rest) => {
        if (rest === '') return 'Name a command: /policy git push';
        const { policy } = await import('../policy/policy.js');
        const line = /^(['"])([\s\S]*)\1$/.exec(rest)?.[2] ?? rest;
        return captured(policy, ['explain', '--workspace', workspace, '--', line], io);
      },
    },
    {
      name: 'sessions',
      args: '',
      help: 'list the sessions of this folder',
      run: inStore(async () => {
        const { sessions } = await import('../sessions/sessions.js');
        return captured(sessions, ['list', '--workspace', workspace, ...ofStore], io);
      }),
    },
    {
      name: 'stats',
      args: '',
      help: 'show calls, durations, waits, tokens and cost',
      run: inStore(async () => {
        const { stats } = await import('../stats/stats.js');
        return captured(stats, ['--session', sessionId, ...ofStore], io);
      }),
    },
  ];
}

const modelText = ({ model, noModelReason }: ModelAgents): string =>
  model === null
    ? noModelReason
    : `The model is ${model}. To change it: /model NAME, or with its provider, /model ollama:qwen3`;

async function changeModel(name: string, agents: ModelAgents, stream: AgentStream): Promise<string> {
  const port = await agents.choose(name);
  if (port === null) return agents.noModelReason;
  stream.speakWith(port);
  return `The next prompt will use ${agents.model}.`;
}

async function mcpText({ servers }: SessionAtWork): Promise<string> {
  const seen = (await servers?.inspect()) ?? [];
  if (seen.length === 0) return 'No MCP servers are configured. Add them to "mcpServers" in settings.json.';
  const { serverLines } = await import('../mcp/inspect-servers.js');
  return seen.flatMap(serverLines).join('\n');
}
