import {
  type ApprovalMode,
  canonicalJson,
  type JsonObject,
  type PolicyDecision,
  TIERS,
  type Verdict,
} from '@countersign/protocol';
import { hasCallConditions, obstacleOfCall } from './call-conditions.js';
import { inCircumstances, type RulesResult } from './circumstances.js';
import { COMMAND_TOOL, CommandJudge } from './commands.js';
import type { Policy, Rule, Subject, TraceStep } from './rule.js';
import { ownName, ruleNamesTool, type ToolIdentity } from './tool-pattern.js';
import { UNCLEAR_COMMAND, UNJUDGED_COMMAND, verdictByDefault, verdictOfRule } from './verdicts.js';

/** More tools than a session declares. Beyond it the lists are made again: slower, never wrong. */
const TOOLS_REMEMBERED_MAX = 1024;

/**
 * Rules made ready for judging. The rules that mention a tool are picked out
 * when it is first judged; from then on a check looks at those alone, however
 * many others there are.
 */
export function compilePolicy(rules: readonly Rule[], hash: string): Policy {
  const ordered = rules
    .toSorted(strongestFirst)
    .map((rule): Candidate => ({ rule, verdict: verdictOfRule(rule) }));
  const candidatesFor = rememberByTool((tool) => pickCandidates(ordered, tool));

  return {
    hash,
    judge(subject) {
      const candidates = candidatesFor(identityOf(subject));
      if (subject.tool === COMMAND_TOOL) return inCircumstances(resultForLine(candidates, subject), subject);
      const matching = candidates.reachable.find(({ rule }) => obstacle(rule, subject) === null);
      return inCircumstances(resultFor(matching, candidates, subject), subject);
    },
    explain(subject) {
      const candidates = candidatesFor(identityOf(subject));
      if (subject.tool === COMMAND_TOOL) return explainLine(candidates, subject);
      const trace: TraceStep[] = [];
      const matching = candidates.reachable.find(({ rule, verdict }) => {
        const why = obstacle(rule, subject);
        trace.push({ rule: rule.ref, met: why === null, why: why ?? verdict.reason });
        return why === null;
      });
      const result = resultFor(matching, candidates, subject);
      if (matching === undefined) trace.push({ rule: null, met: true, why: result.verdict.reason });
      const changed = ({ reason }: Verdict) => trace.push({ rule: null, met: true, why: reason });
      return { verdict: inCircumstances(result, subject, changed), trace };
    },
    asking(subject) {
      if (subject.tool !== COMMAND_TOOL || subject.commands === null) return null;
      return judgeIn(candidatesFor(identityOf(subject)), subject).asking(subject, subject.commands);
    },
    deniesOutright(tool, mode, mcpServer = null) {
      const mcp = mcpServer === null ? null : { server: mcpServer, tool: ownName(tool, mcpServer) };
      const inForce = candidatesFor({ name: tool, mcp }).all.filter(({ rule }) => appliesIn(rule, mode));
      // A rule above that lets some calls through makes the tool worth declaring; one that denies some does not.
      const first = inForce.find(({ rule }) => rule.decision !== 'deny' || !isConditional(rule));
      return first?.rule.decision === 'deny';
    },
  };
}

type Candidate = { readonly rule: Rule; readonly verdict: Verdict };

/** The rules that mention one tool, strongest first. */
type Candidates = {
  readonly all: readonly Candidate[];
  /** Up to the first that every call meets: no rule after it can be the one that decides. */
  readonly reachable: readonly Candidate[];
  readonly allowsInPlan: readonly Candidate[];
  /** Of the tool that runs commands: its rules by the circumstances they are for. */
  readonly judges: Map<string, CommandJudge>;
};

function pickCandidates(ordered: readonly Candidate[], tool: ToolIdentity): Candidates {
  const all = ordered.filter(({ rule }) => ruleNamesTool(rule, tool));
  const always = all.findIndex(({ rule }) => rule.modes === null && !isConditional(rule));
  return {
    all,
    reachable: always === -1 ? all : all.slice(0, always + 1),
    allowsInPlan: all.filter(({ rule }) => rule.decision === 'allow' && rule.modes?.includes('plan')),
    judges: new Map(),
  };
}

function resultFor(matching: Candidate | undefined, candidates: Candidates, subject: Subject): RulesResult {
  return {
    verdict: matching?.verdict ?? verdictByDefault(subject),
    allowedInPlan:
      subject.mode === 'plan' && candidates.allowsInPlan.some(({ rule }) => obstacle(rule, subject) === null),
    unclear: nothing,
    runsUs: nothing,
    isExplicit: () => matching !== undefined && isExplicit(matching),
  };
}

const nothing = (): null => null;

/** A command line is many commands: each is judged separately, and the strictest verdict counts. */
function resultForLine(candidates: Candidates, subject: Subject): RulesResult {
  const { commands } = subject;
  if (commands === null) {
    const forbids = candidates.all.find(
      ({ rule }) => rule.decision === 'deny' && rule.command === null && obstacle(rule, subject) === null,
    );
    return {
      verdict: forbids?.verdict ?? UNJUDGED_COMMAND,
      allowedInPlan: false,
      unclear: () => UNJUDGED_COMMAND,
      runsUs: nothing,
      isExplicit: () => false,
    };
  }
  const judge = judgeIn(candidates, subject);
  const verdict = judge.judge(subject, commands);
  return {
    verdict,
    allowedInPlan: verdict.decision === 'allow' && isForPlan(candidates, verdict),
    unclear: () => (judge.mightBeDenied(subject, commands) ? UNCLEAR_COMMAND : null),
    runsUs: () => judge.runsUs(subject, commands),
    isExplicit: () => candidates.all.some((each) => each.rule.ref === verdict.rule && isExplicit(each)),
  };
}

const isForPlan = ({ allowsInPlan }: Candidates, { rule: matching }: Verdict): boolean =>
  allowsInPlan.some(({ rule }) => rule.ref === matching);

function explainLine(candidates: Candidates, subject: Subject): ReturnType<Policy['explain']> {
  const result = resultForLine(candidates, subject);
  const trace: TraceStep[] =
    subject.commands === null
      ? [{ rule: null, met: true, why: result.verdict.reason }]
      : [...judgeIn(candidates, subject).trace(subject, subject.commands)];
  const changed = ({ reason }: Verdict) => trace.push({ rule: null, met: true, why: reason });
  return { verdict: inCircumstances(result, subject, changed), trace };
}

/** Not a default rule, and specific: it has a condition on an argument, or an exact command. */
const isExplicit = ({ rule: { ref, args, command } }: Candidate): boolean =>
  ref.tier !== 'default' && (args !== null || command?.type === 'exact');

/** Modes, attendance and agents are few, so the rules in force for each are picked out once. */
function judgeIn({ all, judges }: Candidates, subject: Subject): CommandJudge {
  const { mode, attended, subagent, annotations } = subject;
  const key = canonicalJson([mode, attended, subagent, annotations]);
  let judge = judges.get(key);
  if (!judge) {
    judge = new CommandJudge(
      all.filter(({ rule }) => circumstantialObstacle(rule, subject) === null).map(({ rule }) => rule),
    );
    judges.set(key, judge);
  }
  return judge;
}

/** Why a rule that mentions the tool does not mention this call; null if it does. */
function obstacle(rule: Rule, subject: Subject): string | null {
  const before = circumstantialObstacle(rule, subject);
  if (before !== null) return before;
  if (rule.command !== null) return 'It applies to commands.';
  return obstacleOfCall(rule, subject);
}

function circumstantialObstacle(rule: Rule, subject: Subject): string | null {
  if (!appliesIn(rule, subject.mode)) return 'It applies to other modes.';
  if (rule.interactive !== null && rule.interactive !== subject.attended) {
    return rule.interactive
      ? 'It applies only when a user is attached.'
      : 'It applies only when no user is attached.';
  }
  if (rule.subagent !== null && rule.subagent !== subject.subagent) return 'It applies to another agent.';
  if (rule.annotations !== null && !hasAnnotations(rule.annotations, subject.annotations)) {
    return 'The annotations of the tool do not match.';
  }
  return null;
}

const appliesIn = (rule: Rule, mode: ApprovalMode): boolean =>
  rule.modes === null || rule.modes.includes(mode);

/** Whether the rule may not match some calls of the tool in a mode that it applies to. */
const isConditional = (rule: Rule): boolean =>
  hasCallConditions(rule) ||
  rule.command !== null ||
  rule.annotations !== null ||
  rule.interactive !== null ||
  rule.subagent !== null;

function hasAnnotations(wanted: JsonObject, found: JsonObject | null): boolean {
  if (found === null) return false;
  return Object.keys(wanted).every(
    (key) => Object.hasOwn(found, key) && canonicalJson(found[key]) === canonicalJson(wanted[key]),
  );
}

const STRICTNESS: { readonly [D in PolicyDecision]: number } = { allow: 0, ask_user: 1, deny: 2 };

/** By tier, then priority, and of equals the strictest; what is equal even then keeps its place. */
function strongestFirst(a: Rule, b: Rule): number {
  return (
    TIERS.indexOf(b.ref.tier) - TIERS.indexOf(a.ref.tier) ||
    b.ref.priority - a.ref.priority ||
    STRICTNESS[b.decision] - STRICTNESS[a.decision]
  );
}

function identityOf({ tool, mcpServer, plan }: Subject): ToolIdentity {
  if (mcpServer === null) return { name: tool, mcp: null };
  const resource = plan.resources.find((each) => each.kind === 'mcp' && each.server === mcpServer);
  const own = resource?.kind === 'mcp' ? resource.tool : ownName(tool, mcpServer);
  return { name: tool, mcp: { server: mcpServer, tool: own } };
}

function rememberByTool(pick: (tool: ToolIdentity) => Candidates): (tool: ToolIdentity) => Candidates {
  // One name is nearly always one tool, so a name leads to a list of one.
  const byName = new Map<string, { readonly tool: ToolIdentity; readonly candidates: Candidates }[]>();
  let count = 0;
  return (tool) => {
    const same = byName.get(tool.name);
    const known = same?.find(
      ({ tool: { mcp } }) => mcp?.server === tool.mcp?.server && mcp?.tool === tool.mcp?.tool,
    );
    if (known !== undefined) return known.candidates;
    if (count >= TOOLS_REMEMBERED_MAX) {
      byName.clear();
      count = 0;
    }
    const entry = { tool, candidates: pick(tool) };
    byName.set(tool.name, [...(byName.get(tool.name) ?? []), entry]);
    count++;
    return entry.candidates;
  };
}
