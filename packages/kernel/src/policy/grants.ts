import type {
  AnswerPayload,
  CommandUnit,
  Confirmation,
  Grant,
  GrantPattern,
  GrantScope,
  Offer,
  Outcome,
  Plan,
  Verdict,
} from '@countersign/protocol';
import { outsideOf } from './command-line/beginnings.js';
import { grantPatternsFor, isGivenInput } from './command-line/grant-patterns.js';
import { lookedAtFor } from './command-line/looked-at.js';
import { matchRule } from './command-line/match-rule.js';
import { runsUs } from './command-line/own-program.js';
import { COMMAND_TOOL } from './commands.js';
import { isFile, isOrdinary, isWorkspaceEdit, ownResource, touchesOnlyOrdinaryFiles } from './effects.js';
import { isRunnable } from './runnable.js';
import { shellWord } from './shell-word.js';

type Planned = Pick<Plan, 'kind' | 'resources'>;
type OfferedGrant = NonNullable<Offer['grant']>;

/**
 * The offers of a question. Each "always" states everything that it would
 * allow, and `covers` compares later calls with exactly that.
 */
export function offersFor(asked: {
  readonly confirmation: Confirmation;
  readonly plan: Planned;
  readonly tool: string;
  readonly verdict: Verdict;
  /** The commands of its line that are not allowed anyway; null if it has none, or none can be named. */
  readonly asking: readonly CommandUnit[] | null;
  /** Where its commands run (see `lineDirectory`); null where that is not known. */
  readonly directory?: string | null;
}): readonly Offer[] {
  const { confirmation, verdict } = asked;
  const { type } = confirmation;
  if (!isRunnable(confirmation)) {
    // What is shown is not what would run, so no one can approve it; it can still be corrected.
    return type === 'info' ? [plain('cancel')] : [plain('modify_with_editor'), plain('cancel')];
  }
  // What asks each time is not answered permanently: a grant would be a promise that is not kept.
  const mayLast = !ASKS_EACH_TIME.includes(verdict.because);
  const always = mayLast ? lastingOffers(asked) : [];
  // It ran already, and what the sandbox blocked is known for these arguments only.
  if (verdict.because === 'sandbox') return [plain('proceed_once'), plain('cancel')];
  switch (type) {
    case 'edit':
    case 'mcp':
    case 'exec':
      return [plain('proceed_once'), ...always, plain('modify_with_editor'), plain('cancel')];
    case 'info':
      return [plain('proceed_once'), ...always, plain('cancel')];
    case 'ask_user':
    case 'exit_plan_mode':
      return [plain('proceed_once'), plain('cancel')];
  }
}

const ASKS_EACH_TIME: readonly Verdict['because'][] = ['guard', 'mode', 'hook', 'sandbox'];

type GrantedCall = {
  readonly tool: string;
  readonly plan: Planned;
  readonly asking: readonly CommandUnit[] | null;
  /** Where its commands run, relative to the workspace: its root if omitted, null where that is not known. */
  readonly directory?: string | null;
  /** The verdict of policy on the call; omitted where it was not judged. */
  readonly verdict?: Verdict;
};

/** Whether a grant with this pattern permits a call. */
export function covers(pattern: GrantPattern, call: GrantedCall): boolean {
  const { tool, plan, asking } = call;
  if (!plan.resources.every((resource) => !isFile(resource) || isOrdinary(resource))) return false;
  // What is ours is not granted permanently.
  if (ownResource(plan) !== null || asking?.some(runsUs)) return false;
  switch (pattern.kind) {
    case 'edits':
      return isWorkspaceEdit(plan) && !isSingledOut(call.verdict);
    case 'command':
      return (
        tool === COMMAND_TOOL &&
        asking !== null &&
        isSameDirectory(pattern, call.directory) &&
        asking.every((unit) => isGranted(unit, pattern))
      );
    case 'tool':
      return tool === pattern.tool && touchesOnlyOrdinaryFiles(plan) && !isSingledOut(call.verdict);
    case 'mcp-tool':
      return (
        servers(plan).length > 0 &&
        servers(plan).every(
          ({ server, tool: own, definition }) =>
            server === pattern.server && own === pattern.tool && definition === pattern.definition,
        )
      );
    case 'mcp-server':
      return (
        servers(plan).length > 0 &&
        servers(plan).every(({ server, redefined }) => server === pattern.server && redefined !== true)
      );
    case 'host':
      return tool === pattern.tool && onlyHostRead(plan) === pattern.host;
  }
}

/**
 * A rule of the user that asks because of an argument, such as the path, protects
 * what it names: a general permission for edits does not include it.
 */
const isSingledOut = (verdict: Verdict | undefined): boolean =>
  verdict !== undefined &&
  verdict.because !== 'guard' &&
  verdict.rule !== null &&
  verdict.rule.tier !== 'default' &&
  verdict.matched !== null;

/** Whether one pattern allows nothing that the other does not. */
export function isWithin(narrow: GrantPattern, wide: GrantPattern): boolean {
  if (JSON.stringify(narrow) === JSON.stringify(wide)) return true;
  if (wide.kind === 'edits') return narrow.kind === 'tool';
  return wide.kind === 'mcp-server' && narrow.kind === 'mcp-tool' && narrow.server === wide.server;
}

export type GrantMaking = {
  readonly id: string;
  readonly by: string;
  readonly at: number;
  readonly sessionId: string;
  readonly workspace: string;
};

/** The grant that an answer makes: the pattern that was offered, for one of the scopes that were offered. */
export function grantFrom(
  offered: OfferedGrant,
  payload: Pick<AnswerPayload, 'scope' | 'expiresAt' | 'uses'>,
  making: GrantMaking,
): { readonly ok: true; readonly grant: Grant } | { readonly ok: false; readonly problem: string } {
  const { scope = offered.scope, expiresAt = null, uses = null } = payload;
  const scopes = offered.scopes ?? [...new Set(['session', offered.scope] as const)];
  if (!scopes.includes(scope)) {
    return {
      ok: false,
      problem: `the scope "${scope}" is not offered for it; offered: ${scopes.join(', ')}`,
    };
  }
  if (uses !== null && !(Number.isSafeInteger(uses) && uses >= 1)) {
    return { ok: false, problem: `uses must be a whole number of at least 1, not ${String(uses)}` };
  }
  if (expiresAt !== null && !(Number.isSafeInteger(expiresAt) && expiresAt > making.at)) {
    return {
      ok: false,
      problem: `expiresAt must be in the future, in whole milliseconds, not ${String(expiresAt)}`,
    };
  }
  const { id, by, at } = making;
  const scopeKey = { session: making.sessionId, project: making.workspace, user: '' }[scope];
  return { ok: true, grant: { id, pattern: offered.pattern, scope, scopeKey, uses, expiresAt, by, at } };
}

/** A grant is a rule that allows: what such a rule would leave to ask about, a grant leaves too. */
function isGranted(unit: CommandUnit, pattern: Extract<GrantPattern, { kind: 'command' }>): boolean {
  if (isGivenInput(unit)) return false;
  const condition = { type: pattern.match, words: pattern.commands };
  const match = matchRule({ decision: 'allow', condition, allowRedirection: false }, unit);
  if (match.type !== 'applies' || match.left.length > 0) return false;
  return (
    pattern.match === 'exact' || pattern.commands.some((beginning) => outsideOf(beginning, unit) === null)
  );
}

/** The same words are another program in another directory. */
const isSameDirectory = (
  { directory = '' }: Extract<GrantPattern, { kind: 'command' }>,
  running: string | null | undefined = '',
): boolean => running === directory;

/** Why a grant does not cover this call, though it is near it; null if it is not about it. */
export function beyondGrant(
  pattern: GrantPattern,
  { plan, asking, directory = '' }: Pick<GrantedCall, 'plan' | 'asking' | 'directory'>,
): string | null {
  return isLapsed(pattern, plan)
    ? `A permission for ${patternInWords(pattern)} exists and no longer applies, because the tool, or the server behind it, is not what it was when the permission was given.`
    : beyondCommands(pattern, asking, directory);
}

/** It was for a tool of a server as it was described then. */
function isLapsed(pattern: GrantPattern, plan: GrantedCall['plan']): boolean {
  if (pattern.kind === 'mcp-tool')
    return servers(plan).some(
      ({ server, tool, definition }) =>
        server === pattern.server && tool === pattern.tool && definition !== pattern.definition,
    );
  return (
    pattern.kind === 'mcp-server' &&
    servers(plan).some(({ server, redefined }) => server === pattern.server && redefined === true)
  );
}

/** For commands: it runs elsewhere, is given input, or only begins like what was granted. */
function beyondCommands(
  pattern: GrantPattern,
  asking: readonly CommandUnit[] | null,
  directory: string | null,
): string | null {
  if (pattern.kind !== 'command' || asking === null || asking.length === 0) return null;
  if (!isSameDirectory(pattern, directory)) {
    if (!asking.every((unit) => isGranted(unit, pattern))) return null;
    const where = directory === null ? 'where it runs is not known' : 'it runs in another directory';
    return `A permission for ${patternInWords(pattern)} does not cover it, because ${where}.`;
  }
  const isNear = (unit: CommandUnit) =>
    isGranted({ ...unit, input: 'own', redirects: [] }, pattern) && isGivenInput(unit);
  if (asking.some(isNear))
    return `A permission for ${patternInWords(pattern)} does not cover it, because it is given input.`;
  if (pattern.match !== 'prefix') return null;
  for (const unit of asking) {
    const found = pattern.commands.map((beginning) => outsideOf(beginning, unit));
    const outside = found.find((each) => typeof each === 'string');
    if (outside === undefined || found.includes(null)) continue;
    return `A permission for ${commandsInWords(pattern)} does not cover it, because of \`${outside}\`.`;
  }
  return null;
}

/** The offers that outlive the call, narrowest first; none where what they would cover cannot be named. */
function lastingOffers({
  confirmation,
  plan,
  tool,
  asking,
  directory = '',
  verdict,
}: Parameters<typeof offersFor>[0]): Offer[] {
  switch (confirmation.type) {
    case 'edit': {
      const edits = { kind: 'edits' } as const;
      return offersIfCovered({ tool, plan, verdict }, [
        ['proceed_always', edits, 'session'],
        ['proceed_always_and_save', edits, 'project'],
      ]);
    }
    case 'mcp': {
      const { serverName: server, toolName } = confirmation;
      const definition = servers(plan).find((each) => each.tool === toolName)?.definition;
      const described = definition === undefined ? {} : { definition };
      const own = { kind: 'mcp-tool', server, tool: toolName, ...described } as const;
      return offersIfCovered({ tool, plan, verdict }, [
        ['proceed_always_tool', own, 'session'],
        ['proceed_always_server', { kind: 'mcp-server', server }, 'session'],
        ['proceed_always_and_save', own, 'project'],
      ]);
    }
    case 'info': {
      const host = onlyHostRead(plan);
      if (host !== null)
        return offersIfCovered({ tool, plan, verdict }, [
          ['proceed_always', { kind: 'host', tool, host }, 'session'],
        ]);
      // As broad as an interpreter or `rm`: never for more than the one call that was shown.
      if (plan.kind === 'execute' || plan.kind === 'delete') return [];
      return offersIfCovered({ tool, plan, verdict }, [
        ['proceed_always', { kind: 'tool', tool }, 'session'],
      ]);
    }
    case 'exec': {
      const { exact, prefix } =
        (asking && directory !== null && commandPatterns(asking, directory)) || NO_PATTERNS;
      return offersIfCovered({ tool, plan, verdict, asking, directory }, [
        ...(exact ? [['proceed_always', exact, 'session'] as const] : []),
        ...(prefix ? [[exact ? 'proceed_always_tool' : 'proceed_always', prefix, 'session'] as const] : []),
        ...lastingOf(prefix ?? exact),
      ]);
    }
    case 'ask_user':
    case 'exit_plan_mode':
      return [];
  }
}

type CommandPatterns = { readonly exact: GrantPattern | null; readonly prefix: GrantPattern | null };

const NO_PATTERNS: CommandPatterns = { exact: null, prefix: null };

/** Exactly what was shown, and how it begins where all that may follow was looked at. */
function commandPatterns(asking: readonly CommandUnit[], directory: string): CommandPatterns {
  const { exact = null, prefix = null } = grantPatternsFor(asking) ?? {};
  const where = directory === '' ? {} : { directory };
  return {
    exact: exact && { kind: 'command', match: 'exact', commands: exact, ...where },
    prefix: prefix && { kind: 'command', match: 'prefix', commands: prefix, ...where },
  };
}

const lastingOf = (pattern: GrantPattern | null): readonly Lasting[] =>
  pattern ? [['proceed_always_and_save', pattern, 'project']] : [];

type Lasting = readonly [outcome: Outcome, pattern: GrantPattern, scope: OfferedGrant['scope']];

/** What would not cover the very call it is shown with is not on offer. */
function offersIfCovered(
  call: Omit<Parameters<typeof covers>[1], 'asking'> & { readonly asking?: readonly CommandUnit[] | null },
  candidates: readonly Lasting[],
): Offer[] {
  return candidates
    .filter(([, pattern]) => covers(pattern, { asking: null, ...call }))
    .map(([outcome, pattern, scope]) => ({
      outcome,
      grant: { pattern, scope, ...widerScopes(pattern), text: grantInWords(pattern, scope) },
    }));
}

/**
 * How far the user may let a grant reach, if further than the offer. Beyond this workspace only where its words mean
 * the same: another workspace has other MCP servers of that name, and other files at a relative path.
 */
function widerScopes(pattern: GrantPattern): Pick<OfferedGrant, 'scopes'> {
  switch (pattern.kind) {
    case 'edits':
      return { scopes: EVERY_SCOPE };
    case 'command':
      return { scopes: isSameEverywhere(pattern) ? EVERY_SCOPE : ['session', 'project'] };
    case 'mcp-tool':
    case 'mcp-server':
    case 'tool':
    case 'host':
      return {};
  }
}

const EVERY_SCOPE: readonly GrantScope[] = ['session', 'project', 'user'];
const isSameEverywhere = ({
  directory = '',
  commands,
}: Extract<GrantPattern, { kind: 'command' }>): boolean =>
  directory === '' && commands.every(([program = '']) => program.startsWith('/') || !program.includes('/'));

const plain = (outcome: Outcome): Offer => ({ outcome, grant: null });

const REACH: { readonly [scope in GrantScope]: string } = {
  session: 'for this session',
  project: 'in every session of this workspace',
  user: 'in every session of every workspace',
};

/** What an "always" allows, and where. */
export const grantInWords = (pattern: GrantPattern, scope: GrantScope): string =>
  `${patternInWords(pattern)}, ${REACH[scope]}`;

/** What a grant allows, as the question that led to it said. */
export function patternInWords(pattern: GrantPattern): string {
  switch (pattern.kind) {
    case 'edits':
      return 'edits of files inside the workspace';
    case 'command':
      return commandsInWords(pattern) + (pattern.directory ? ` in ${shellWord(pattern.directory)}` : '');
    case 'tool':
      return `calls of ${pattern.tool} that touch nothing but files inside the workspace`;
    case 'mcp-tool':
      return `calls of ${pattern.tool} on the MCP server ${pattern.server}`;
    case 'mcp-server':
      return `calls of every tool on the MCP server ${pattern.server}`;
    case 'host':
      return `calls of ${pattern.tool} that read from ${pattern.host}`;
  }
}

function commandsInWords({ match, commands }: Extract<GrantPattern, { kind: 'command' }>): string {
  const quoted = (words: readonly string[]) => `\`${words.map(shellWord).join(' ')}\``;
  const listed = (rows: readonly (readonly string[])[]) => [...new Set(rows.map(quoted))].join(', ');
  if (match === 'exact') return `exactly ${listed(commands)}`;
  const looked = commands.filter((words) => lookedAtFor(words) !== null);
  const others = commands.filter((words) => lookedAtFor(words) === null);
  const exceptions = [...new Set(looked.map((words) => lookedAtFor(words)?.except ?? ''))];
  return [
    ...(looked.length > 0
      ? [`commands that begin with ${listed(looked)}, but not ${exceptions.join(', nor ')}`]
      : []),
    // Made by an earlier version for whatever follows; see `outsideOf`.
    ...(others.length > 0 ? [`exactly ${listed(others)}`] : []),
  ].join(', and ');
}

/** The one host that the call reads from, if that and reading files is all it does. */
function onlyHostRead({ resources }: Planned): string | null {
  let host: string | null = null;
  for (const resource of resources) {
    if (resource.kind === 'fs.read') continue;
    if (resource.kind !== 'net' || resource.access !== 'read') return null;
    if (host !== null && host !== resource.host) return null;
    host = resource.host;
  }
  return host;
}

const servers = ({ resources }: Planned) => resources.filter((resource) => resource.kind === 'mcp');
