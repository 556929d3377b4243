import type { AgentStream } from '@countersign/react';
import type { ProgramCommand } from '@countersign/tui';
import type { SessionAtWork } from '../compose-agent.js';
import type { Io } from '../io.js';
import { captured } from './captured.js';
import type { Speakers } from './speaker.js';

export type SlashParts = {
  readonly io: Io;
  readonly store: string | undefined;
  readonly workspace: string;
  readonly atWork: SessionAtWork;
  readonly speakers: Speakers;
  readonly stream: AgentStream;
};

const IN_MEMORY = 'This session is kept in memory only: there is no store to look into.';

/** The slash commands that are commands of the program: one way to say it, here and in a shell. */
export function slashCommands(parts: SlashParts): readonly ProgramCommand[] {
  const { io, store, workspace, atWork, speakers, stream } = parts;
  const { sessionId } = atWork.live.session;
  const ofStore = store === undefined ? [] : ['--store', store];
  const inStore = (run: ProgramCommand['run']): ProgramCommand['run'] =>
    store === ':memory:' ? async () => IN_MEMORY : run;
  return [
    {
      name: 'compact',
      args: '',
      help: 'sum up what was said, to make room for more',
      run: () => speakers.compact(stream),
    },
    {
      name: 'export',
      args: 'FILE',
      help: 'write every fact of this session to a file',
      run: inStore(async (rest) => {
        if (rest === '') return 'To which file? /export session.jsonl';
        const { sessions } = await import('../sessions/sessions.js');
        return captured(sessions, ['export', sessionId, `--output=${rest}`, ...ofStore], io);
      }),
    },
    {
      name: 'grants',
      args: '[revoke ID]',
      help: 'what is allowed for good, and how to take it back',
      run: inStore(async (rest) => {
        const { grants } = await import('../grants.js');
        return captured(grants, [...(rest === '' ? ['list'] : rest.split(/\s+/)), ...ofStore], io);
      }),
    },
    {
      name: 'mcp',
      args: '',
      help: 'MCP servers: how it is with each, and what it offers',
      run: () => mcpText(atWork),
    },
    {
      name: 'model',
      args: '[NAME]',
      help: 'who answers, or another from now on',
      run: async (rest) => (rest === '' ? modelText(speakers) : changeModel(rest, speakers, stream)),
    },
    {
      name: 'policy',
      args: "['COMMAND']",
      help: 'what the rules make of a command, and why',
      run: async (rest) => {
        if (rest === '') return 'Of which command? /policy git push';
        const { policy } = await import('../policy/policy.js');
        const line = /^(['"])([\s\S]*)\1$/.exec(rest)?.[2] ?? rest;
        return captured(policy, ['explain', '--workspace', workspace, '--', line], io);
      },
    },
    {
      name: 'sessions',
      args: '',
      help: 'the sessions of this folder',
      run: inStore(async () => {
        const { sessions } = await import('../sessions/sessions.js');
        return captured(sessions, ['list', '--workspace', workspace, ...ofStore], io);
      }),
    },
    {
      name: 'stats',
      args: '',
      help: 'calls, durations, waits, tokens and cost',
      run: inStore(async () => {
        const { stats } = await import('../stats/stats.js');
        return captured(stats, ['--session', sessionId, ...ofStore], io);
      }),
    },
  ];
}

const modelText = ({ model, silence }: Speakers): string =>
  model === null
    ? silence
    : `${model} answers. Another: /model NAME, or with its provider, /model ollama:qwen3`;

async function changeModel(name: string, speakers: Speakers, stream: AgentStream): Promise<string> {
  const port = await speakers.choose(name);
  if (port === null) return speakers.silence;
  stream.speakWith(port);
  return `From the next prompt on, ${speakers.model} answers.`;
}

async function mcpText({ servers }: SessionAtWork): Promise<string> {
  const seen = (await servers?.look()) ?? [];
  if (seen.length === 0) return 'No MCP server is set up. They go into "mcpServers" of settings.json.';
  const { serverLines } = await import('../mcp/look-at-servers.js');
  return seen.flatMap(serverLines).join('\n');
}
