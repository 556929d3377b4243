import { visibleLine } from '@countersign/display';
import { type InForce, inForce } from '../compose/in-force.js';
import { EXIT, type ExitCode } from '../io/exit-codes.js';
import { CommandFailure } from '../io/failure-text.js';
import { type Io, printJson } from '../io/io.js';
import { expectNoMore, readOptions, readStore } from '../options/options.js';
import { realWorkspace } from '../options/places.js';
import { COLUMNS, rowsOf } from '../sessions/plain-rows.js';
import { keyPlaces, modelPreferences } from '../settings/model-keys.js';
import { Settings } from '../settings/settings.js';
import { type Check, failed, note } from './check.js';
import { checkKeys, checkModel } from './check-model.js';
import { checkPrograms } from './check-programs.js';
import { checkProxies } from './check-proxies.js';
import { checkRules } from './check-rules.js';
import { checkServers } from './check-servers.js';
import { checkStore } from './check-store.js';
import { checkTerminal } from './check-terminal.js';
import { type ShownSetting, settingsShown } from './settings-shown.js';

/** `countersign doctor`: shows settings with their origin, and checks the installation. */
export async function doctor(args: readonly string[], io: Io): Promise<ExitCode> {
  const { values, positionals } = readOptions('doctor', args, {
    json: { type: 'boolean' },
    model: { type: 'string', short: 'm' },
    workspace: { type: 'string' },
    store: { type: 'string' },
  });
  expectNoMore('doctor', positionals);
  const workspace = await realWorkspace(values.workspace ?? io.cwd);
  const { settings, inForce: here, untrusted, checks: ofFiles } = await readSettings(workspace, io);
  const { shown, checks: ofValues } = settingsShown(settings);
  // An invalid variable stops every session, so the checks that depend on it use defaults.
  const usable = ofValues.length === 0 ? settings : nothingSet({});
  const looked = await Promise.all([
    ...checkPrograms(usable, workspace, io.env),
    checkStore(readStore(values.store), io),
    checkModel(modelPreferences(usable, values.model, io.env)),
  ]);
  const ofServers = await checkServers(here, workspace, io);
  if (ofServers === null) return EXIT.interrupted;
  const checks = [
    ...looked,
    ...(await checkKeys(keyPlaces(usable, io.env))),
    ...checkProxies(io.env),
    ...ofFiles,
    ...ofValues,
    ...(here ? await checkRules(here, untrusted, io.env) : []),
    ...ofServers,
    checkTerminal(io),
  ];
  if (values.json) {
    for (const setting of shown) printJson(io, { type: 'setting', ...setting });
    for (const check of checks) printJson(io, { type: 'check', ...check });
  } else io.stdout.write(report(shown, checks, io.stdout.columns ?? COLUMNS));
  return checks.some(({ state }) => state === 'problem') ? EXIT.notAll : EXIT.ok;
}

type Read = {
  readonly settings: Settings;
  /** Null if a settings file cannot be read: then no session starts. */
  readonly inForce: InForce | null;
  readonly untrusted: string | null;
  readonly checks: readonly Check[];
};

async function readSettings(workspace: string, { env }: Io): Promise<Read> {
  const checks: Check[] = [];
  let untrusted: string | null = null;
  try {
    const read = await inForce({
      workspace,
      env,
      flags: {},
      onNotice: ({ file, line, text }) =>
        void checks.push(note('settings', `${file}:${line}: ${text}`, 'Check that line.')),
      onUntrusted: (text) => {
        untrusted = text;
      },
    });
    return { settings: read.settings, inForce: read, untrusted, checks };
  } catch (thrown) {
    if (!(thrown instanceof CommandFailure)) throw thrown;
    return {
      settings: nothingSet(env),
      inForce: null,
      untrusted,
      checks: [failed('settings', thrown.failure)],
    };
  }
}

const nothingSet = (env: NodeJS.ProcessEnv) =>
  new Settings({ files: [], env, flags: {}, project: 'untrusted' });

const STATES: { readonly [S in Check['state']]: string } = { ok: 'ok', note: 'note', problem: 'PROBLEM' };
const STATE_COLUMNS = 9;

function report(shown: readonly ShownSetting[], checks: readonly Check[], columns: number): string {
  const indent = ' '.repeat(STATE_COLUMNS);
  const settings = shown.flatMap(({ key, value, origin }) => {
    const [first = '', ...more] = rowsOf(`${key}: ${value} (${origin})`, columns, '    ');
    return [first.slice(2), ...more];
  });
  const results = checks.flatMap(({ name, state, text, fix }) => {
    const [first = '', ...more] = rowsOf(`${name}: ${text}`, columns, indent);
    return [
      `${STATES[state].padEnd(STATE_COLUMNS)}${first.slice(STATE_COLUMNS)}`,
      ...more,
      ...(fix === null ? [] : rowsOf(`Fix: ${fix}`, columns, `${indent}  `)),
    ];
  });
  const problems = checks.filter(({ state }) => state === 'problem').length;
  const verdict =
    problems === 0
      ? 'Everything required works.'
      : `${problems} ${problems === 1 ? 'problem' : 'problems'} to fix.`;
  return `${['Settings', ...settings, '', 'Checks', ...results, '', visibleLine(verdict)].join('\n')}\n`;
}
