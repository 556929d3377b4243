import type { Commands, Host, KnownSession, Opened, OpenRequest } from '@countersign/acp';
import { type Journal, JournalError, readEach } from '@countersign/engine';
import { chooseModel } from '@countersign/models';
import type { Failure, JsonObject } from '@countersign/protocol';
import { openAgent } from '../compose/compose-agent.js';
import { ownSettings } from '../compose/in-force.js';
import { CommandFailure, messageHandlers, usage } from '../io/failure-text.js';
import { type Io, say } from '../io/io.js';
import { VERSION } from '../io/version.js';
import { expectProject, realWorkspace } from '../options/places.js';
import { newSessionId } from '../options/session-id.js';
import { modelPreferences } from '../settings/model-keys.js';
import { Settings } from '../settings/settings.js';
import type { AcpOptions } from './acp-options.js';

/** The host for editors. Its sessions are composed like those of every other front end. */
export function editorHost(options: AcpOptions, journal: Journal, io: Io): Host {
  const report = (text: string) => void say(io, `countersign: ${text}`);
  return {
    version: VERSION,
    open: (request) => orFailure(() => opened(request, options, journal, io)),
    list: (cwd) => conversations(cwd, journal),
    modelProblem: () => modelProblem(options, io),
    say: report,
  };
}

async function opened(
  { cwd, sessionId, mcpServers }: OpenRequest,
  options: AcpOptions,
  journal: Journal,
  io: Io,
): Promise<Opened> {
  const workspace = await realWorkspace(cwd).catch(() => null);
  if (workspace === null)
    throw usage(`The folder ${cwd} is not a directory`, 'a "cwd" that exists and can be read');
  const named = await Promise.all(options.workspaces.map((path) => realWorkspace(path)));
  // Editors without an open folder send the root or home directory, which the user did not choose.
  if (sessionId === null && !named.includes(workspace))
    expectProject(
      workspace,
      io.env,
      `open a project folder, or start countersign acp --workspace ${workspace} to allow this folder`,
    );
  if (sessionId !== null) await expectKnown(sessionId, workspace, journal);
  const id = sessionId ?? newSessionId(Date.now());
  const { agent, live, tools, servers, begin, leave } = await openAgent({
    ...options,
    ...messageHandlers(io),
    frontEnd: 'acp',
    journal,
    sessionId: id,
    workspace,
    session: sessionId === null ? 'new' : 'known',
    env: io.env,
    attended: 'somebody',
    modelFlag: options.model,
    servers: { besides: settingsOf(mcpServers) },
  });
  const commands: Commands = {
    list: () => servers?.promptCommands() ?? [],
    onChanged: (changed) => servers?.onPromptsChanged(changed) ?? (() => {}),
    say: async (name, typed, signal) =>
      (await servers?.expandPrompt(name, typed, signal)) ?? { type: 'unknown' },
  };
  return {
    ok: true,
    agent,
    live,
    tools,
    workspace,
    commands,
    past: () => journal.read(id, 0),
    begin: (notify) => begin(sessionId === null ? 'startup' : 'resume', notify),
    leave: () => leave(),
  };
}

/** In the format of the settings. None is trusted, although the editor names them. */
const settingsOf = (servers: OpenRequest['mcpServers']): JsonObject =>
  Object.fromEntries(servers.map((server): [string, JsonObject] => [server.name, entryOf(server)]));

const entryOf = (server: OpenRequest['mcpServers'][number]): JsonObject =>
  'type' in server
    ? { type: server.type, url: server.url, headers: pairs(server.headers) }
    : { command: server.command, args: server.args, env: pairs(server.env) };

const pairs = (list: readonly { readonly name: string; readonly value: string }[]): JsonObject =>
  Object.fromEntries(list.map(({ name, value }) => [name, value]));

/** A session continues in its own folder, which its rules, grants and paths refer to. */
async function expectKnown(sessionId: string, workspace: string, journal: Journal): Promise<void> {
  const known = await journal.session(sessionId);
  if (!known) throw new CommandFailure({ code: 'unknown_session', sessionId });
  if (known.workspace !== workspace)
    throw usage(
      `The session ${sessionId} was held in ${known.workspace}, not in ${workspace}`,
      'that folder instead',
    );
}

async function orFailure(open: () => Promise<Opened>): Promise<Opened> {
  try {
    return await open();
  } catch (thrown) {
    if (thrown instanceof CommandFailure || thrown instanceof JournalError)
      return { ok: false, failure: thrown.failure };
    throw thrown;
  }
}

async function conversations(cwd: string | null, journal: Journal): Promise<readonly KnownSession[]> {
  const folder = cwd === null ? null : await realWorkspace(cwd).catch(() => cwd);
  const all = await journal.list();
  const sessions = folder === null ? all : all.filter(({ workspace }) => workspace === folder);
  const titles = new Map<string, string | null>();
  const ids = sessions.map(({ sessionId }) => sessionId);
  const { rows } = await readEach(
    async () => ids,
    () => journal.messages(ids),
    (sessionId) => journal.messages([sessionId]),
  );
  for (const { sessionId, words } of rows) titles.set(sessionId, titles.get(sessionId) ?? words);
  return sessions.flatMap(({ sessionId, workspace, updatedAt }) => {
    const title = titles.get(sessionId);
    return title === undefined ? [] : [{ sessionId, workspace, title, updatedAt }];
  });
}

/** Checks the user's model; a folder may select another one. */
async function modelProblem(options: AcpOptions, { env }: Io): Promise<Failure | null> {
  const { model, fakeResponses, flags } = options;
  if (fakeResponses !== undefined) return null;
  const settings = new Settings({ files: await ownSettings(env), env, flags, project: 'untrusted' });
  const chosen = await chooseModel(modelPreferences(settings, model, env), new AbortController().signal);
  return chosen.ok ? null : chosen.failure;
}
