import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { explain, type JsonObject, type SettledCall } from '@countersign/protocol';
import { expect } from 'vitest';
import { McpSession } from './mcp-session.js';

/** One line of the corpus: what a server does wrong, and what must come of it. */
export type Fault = {
  readonly id: string;
  readonly name: string;
  readonly transport: 'stdio' | 'http';
  readonly script: JsonObject;
  readonly callArgs?: JsonObject;
  readonly cancelAfterMs?: number;
  readonly expect: {
    readonly server: 'connected' | 'failed';
    readonly call?: 'none' | 'success' | 'error' | 'timeout' | 'cancelled';
    readonly executions?: number;
    readonly outcomeUnknown?: boolean;
    readonly mustAsk?: boolean;
    readonly tools?: readonly string[];
    readonly maxMs?: number;
    readonly memMB?: number;
    readonly alsoOk?: string;
    /** Of ours: words that the report on it contains. */
    readonly says?: string;
    /** Of ours: how long the report on it is, in characters. */
    readonly saysAtMost?: number;
  };
};

export function faultsIn(file: string): readonly Fault[] {
  const path = fileURLToPath(new URL(`../corpus/${file}`, import.meta.url));
  return readFileSync(path, 'utf8')
    .trim()
    .split('\n')
    .map((line): Fault => JSON.parse(line));
}

/** What takes as long as a limit, or moves so much that memory is measured, is among the slow ones. */
export const isSlow = ({ script, expect: { call, memMB } }: Fault): boolean =>
  call === 'timeout' ||
  memMB !== undefined ||
  /"silence"|"hang"|"ignoreSigterm"/.test(JSON.stringify(script));

const ALLOWED = '[[rule]]\nmcpName = "faulty"\ntoolName = "*"\ndecision = "allow"\npriority = 500\n';
const NEVER_MS = 3_600_000;
const SETTLING_MS = 600; // a script that does something after the handshake has done it by then

/** The script on a machine that is this many times slower: it sleeps longer as well, so that all keeps its order. */
const slowed = (script: JsonObject, times: number): JsonObject =>
  JSON.parse(
    JSON.stringify(script, (key, value) =>
      (key === 'sleep' || key === 'everyMs') && typeof value === 'number' ? value * times : value,
    ),
  );

/** Connects to the faulty server, calls it, leaves, and checks all that the line expects. */
export async function runFault(fault: Fault): Promise<void> {
  const { expect: expected, callArgs = { a: 1, b: 2 } } = fault;
  const world = await McpSession.open(expected.mustAsk ? {} : { rules: ALLOWED });
  const times = world.slowdown;
  const script = slowed(fault.script, times);
  try {
    const faulty = fault.transport === 'http' ? await world.faultyHttp(script) : world.faulty(script);
    const residentBefore = process.memoryUsage.rss();
    const began = performance.now();
    await world.manager.connectToServers({ faulty });
    if ('initialized' in script) await new Promise((resolve) => setTimeout(resolve, SETTLING_MS * times));
    const stop = new AbortController();
    const timer = setTimeout(() => stop.abort(), (fault.cancelAfterMs ?? NEVER_MS) * times);
    const call = await world.call('mcp_faulty_add', callArgs, { signal: stop.signal });
    clearTimeout(timer);
    const tookMs = performance.now() - began;
    const grownMB = (process.memoryUsage.rss() - residentBefore) / 1e6;

    checkServer(world, expected);
    checkCall(world, call, expected);
    expect(tookMs).toBeLessThan((expected.maxMs ?? 15_000) * times);
    expect(grownMB).toBeLessThan(expected.memMB ?? 1_000);
  } finally {
    await world.close();
  }
  expect(processesOf(world.log)).toEqual([]);
}

function checkServer(world: McpSession, expected: Fault['expect']): void {
  const { status, tools, problems } = world.report('faulty');
  const states = expected.server === 'connected' ? ['connected'] : ['failed', 'disconnected'];
  if (expected.alsoOk?.startsWith('failed')) states.push('failed', 'disconnected');
  expect(states).toContain(status.state);
  if (status.state === 'failed') expect(status.reason).not.toBe('');
  if (expected.tools) expect(tools).toEqual(expected.tools.map((tool) => `mcp_faulty_${tool}`));
  if (expected.saysAtMost !== undefined)
    expect(Math.max(...world.reported.map(({ length }) => length))).toBeLessThan(expected.saysAtMost);
  if (expected.says)
    expect([JSON.stringify(status), ...problems, ...world.reported].join()).toContain(expected.says);
}

function checkCall(world: McpSession, call: SettledCall, expected: Fault['expect']): void {
  const failure = call.status === 'error' ? call.failure : null;
  if (expected.mustAsk) expect(failure?.code).toBe('nobody_to_ask');
  switch (expected.call) {
    case undefined:
      break;
    case 'none':
      expect(failure?.code).toMatch(/tool_not_registered|mcp_unavailable|nobody_to_ask/);
      break;
    case 'timeout':
      expect(failure?.code).toBe('timed_out');
      break;
    case 'error':
      if (expected.alsoOk?.startsWith('success')) expect(['success', 'error']).toContain(call.status);
      else expect(call.status).toBe('error');
      expect(failure?.code).not.toBe('timed_out');
      break;
    case 'success':
    case 'cancelled':
      expect(call.status).toBe(expected.call);
  }
  if (expected.executions !== undefined) expect(world.count('tools/call')).toBe(expected.executions);
  if (expected.outcomeUnknown) {
    const partial = 'partial' in call && call.partial?.mayHaveHappened === true;
    expect(partial || (failure && /\bmay\b.*\b(?:taken effect|carried out)/.test(textOf(failure)))).toBe(
      true,
    );
  }
}

const textOf = (failure: Parameters<typeof explain>[0]): string =>
  `${explain(failure).message} ${explain(failure).hint}`;

/** Processes that carry this word in their environment. */
function processesOf(word: string): string[] {
  return readdirSync('/proc').filter((name) => {
    if (!/^\d+$/.test(name) || Number(name) === process.pid) return false;
    try {
      return readFileSync(`/proc/${name}/environ`, 'latin1').includes(word);
    } catch {
      return false;
    }
  });
}
