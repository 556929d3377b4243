import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { classifierFor } from '@countersign/host';
import type { CommandAnalysis, Confirmation, DeclaredResource } from '@countersign/protocol';
import type { ShellOptions } from '../confined-command/options.js';
import { NODE_EVENTS } from '../edit/runs-automatically.js';
import { foldersOf } from './folders.js';
import { namedFiles } from './named-files.js';
import { ownReach } from './own-reach.js';
import { patternReading } from './pattern-matches.js';
import { reasonsToAsk } from './reasons-to-ask.js';
import { type FileUse, type Lookup, touchedBy } from './touched-paths.js';
import { asWritten, type WriteContext } from './written-files.js';

/** What is known of a command before it runs. */
export type Understood = {
  readonly resources: readonly DeclaredResource[];
  /** What its words name, for rules about paths. */
  readonly named: readonly FileUse[];
  /** What a person should know before agreeing, worked out only if one is asked. */
  readonly risk: () => Risk;
};

type Risk = Pick<
  Extract<Confirmation, { type: 'exec' }>,
  'rootCommand' | 'rootCommands' | 'riskLevel' | 'riskReasons'
>;

export type Surroundings = {
  readonly workspace: string;
  /** Where it runs. */
  readonly directory: string;
  /** Whether it would run confined without approval; finding out may take a moment. */
  readonly isConfined: () => Promise<boolean>;
  readonly options: Pick<ShellOptions, 'ours' | 'program' | 'ownPorts' | 'steering'>;
};

/** The grammar of bash is loaded with the first command: most sessions start without one. */
export async function understand(command: string, surroundings: Surroundings): Promise<Understood> {
  const { analyzeCommand, effectsOf, enteredFolders, riskOf, rootCommands } = await import(
    '@countersign/commands'
  );
  const analysis = analyzeCommand(command);
  const effects = effectsOf(analysis);
  const risk = () => {
    const { level, reasons } = riskOf(analysis);
    const names = rootCommands(analysis);
    return { rootCommand: names[0] ?? '', rootCommands: names, riskLevel: level, riskReasons: reasons };
  };
  const { directory, options } = surroundings;
  const opaque: DeclaredResource[] =
    effects.type === 'unknown'
      ? [{ kind: 'opaque', why: effects.why }, ...manifestChange(analysis, directory)]
      : [];
  const entered = enteredFolders(analysis);
  const followed = foldersOf(entered, directory);
  const folders = followed ?? [directory];
  const astray = entered.isKnown && followed !== null ? [] : somewhere(effects.type, directory);
  const files = await filesOf(analysis, effects.type, { ...surroundings, folders });
  const reasons = await reasonsToAsk(analysis, { ...surroundings, folders });
  const own = ownReach(analysis, directory, options);
  const named = await namedFiles(analysis, { workspace: surroundings.workspace, directory, folders });
  return { resources: [...opaque, ...own, ...astray, ...files, ...reasons], named, risk };
}

/** A line that enters a folder which is not known in advance: what it reads and writes then may lie anywhere. */
function somewhere(effects: 'none' | 'reads' | 'unknown', directory: string): DeclaredResource[] {
  const guarded = 'where it works is known only when it runs';
  if (effects === 'unknown') return [{ kind: 'fs.write', path: directory, scope: 'tree', guarded }];
  return [
    { kind: 'fs.read', path: directory, scope: 'tree', guarded },
    { kind: 'fs.read', path: '/', scope: 'tree', guarded },
  ];
}

/** `npm pkg set scripts.postinstall=…`: a script that runs automatically, without an edit that shows it. */
function manifestChange({ units }: CommandAnalysis, directory: string): DeclaredResource[] {
  const setsEvent = units.some(({ words }) => {
    const [program = '', ...rest] = words.map(({ outline }) => outline);
    if (!/(?:^|\/)(?:npm|pnpm|yarn|bun)$/.test(program)) return false;
    const isSetting = rest.includes('set-script') || (rest.includes('pkg') && rest.includes('set'));
    return (
      isSetting &&
      rest.some((word) => NODE_EVENTS.has(word.replace(/^scripts[.[]/, '').replace(/\]?(?:=.*)?$/s, '')))
    );
  });
  const guarded = 'npm, yarn or pnpm runs the script that it sets automatically';
  return setsEvent
    ? [{ kind: 'fs.write', path: join(directory, 'package.json'), scope: 'file', guarded }]
    : [];
}

const PATHS_MAX = 100; // a command that names more is better asked about as a whole

/**
 * What a command that only reads names, and its directory. Of any other, the paths that are not its workspace's
 * ordinary ones: those are not mentioned, since it may touch them all.
 */
async function filesOf(
  analysis: CommandAnalysis,
  effects: 'none' | 'reads' | 'unknown',
  { workspace, directory, folders, isConfined, options }: Surroundings & Pick<Lookup, 'folders'>,
): Promise<DeclaredResource[]> {
  const { pathUses, readsOf } = await import('@countersign/commands');
  const isReading = effects === 'reads';
  const place: DeclaredResource = { kind: 'fs.read', path: directory, scope: 'tree' };
  const isVague = isReading && readsOf(analysis).type === 'unknown';
  const unknown = isVague ? [{ ...place, guarded: 'what it reads is known only when it runs' }] : [];
  const uses = pathUses(analysis);
  if (uses.length > PATHS_MAX) return [{ ...place, guarded: `it names more than ${PATHS_MAX} paths` }];
  const classify = classifierFor(options);
  const lookup: Lookup = {
    workspace,
    classify,
    folders,
    patterns: patternReading(analysis.text),
    perhaps: effects === 'unknown' ? 'or made' : 'there',
  };
  const context: WriteContext = {
    workspace,
    classify,
    text: analysis.text,
    isConfined: uses.some((use) => use.mayWrite) && (await isConfined()),
  };
  const found = new Map<string, DeclaredResource>(
    isReading && !isVague ? [[`fs.read ${directory} `, place]] : [],
  );
  const add = async (file: FileUse) => {
    const { place: lies, guarded, ours } = classify(workspace, file.path);
    const isOrdinary = lies === 'workspace' && guarded === null && !ours && file.guarded === undefined;
    if (isOrdinary && (isVague || !isReading)) return;
    if (isNewTemporary(file.path) && effects === 'unknown' && (await isConfined())) return;
    const key = `${file.kind} ${file.path} ${file.guarded ?? ''}`;
    if (!found.has(key) || file.searched) found.set(key, file);
  };
  for (const path of folders.slice(1)) await add({ kind: 'fs.read', path, scope: 'tree' });
  for (const use of uses)
    for (const file of await touchedBy(use, lookup)) await add(asWritten(file, use, context));
  return [...unknown, ...found.values()];
}

/** In the sandbox a command has a /tmp of its own: what is made there touches nothing of this machine. */
const isNewTemporary = (path: string): boolean => dirname(path) === '/tmp' && !existsSync(path);
