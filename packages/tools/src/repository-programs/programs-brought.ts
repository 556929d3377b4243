import { readFileSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { errnoOf } from '@countersign/host';

/** A file of a project that configures which programs a program other than git runs. */
type ProjectFile = {
  /** Commands that read it, by the first word. */
  readonly programs: RegExp;
  /** Looked for where the command runs, and above. */
  readonly names: readonly string[];
  /** The setting that names a program to run; its first group is shown to the user. */
  readonly setting: RegExp;
  /** What the program then does, if not run another. */
  readonly does?: string;
};

const PROJECT_FILES: readonly ProjectFile[] = [
  {
    // `cargo tree` asks the compiler which machine it builds for.
    programs: /^(?:cargo|rustc|rustup)$/,
    names: ['.cargo/config.toml', '.cargo/config'],
    setting:
      /(?:^|[.\s{,"'[])((?:rustc|rustc-wrapper|rustc-workspace-wrapper|credential-provider|global-credential-providers|proxy|include|RUSTC\w*|RUSTUP\w*))["']?\s*=/m,
  },
  {
    programs: /^(?:cargo|rustc|rustup)$/,
    names: ['rust-toolchain.toml', 'rust-toolchain'],
    setting: /(?:^|[.\s{,"'])(path)["']?\s*=/m,
  },
  // Every command of yarn is handed to the program that is named there.
  {
    programs: /^yarn(?:pkg)?$/,
    names: ['.yarnrc.yml', '.yarnrc'],
    setting: /^\s*["']?(yarnPath|yarn-path|plugins)["']?\s*:?/m,
  },
  {
    programs: /^(?:yarn|yarnpkg|pnpm|pnpx|npm|npx)$/,
    names: ['package.json'],
    setting: /"(packageManager)"\s*:\s*"[^"@]*@https?:/,
  },
  {
    programs: /^(?:npm|npx|pnpm)$/,
    names: ['.npmrc'],
    setting:
      /^\s*(onload-script|node-options|script-shell|shell|git|editor|viewer|browser|init-module|globalconfig|userconfig|python|node-gyp)\s*=/m,
  },
  {
    programs: /^(?:npm|npx|pnpm)$/,
    names: ['.npmrc'],
    setting: /^\s*(logs-dir|cache|cache-dir|store-dir|(?:@[^=\s]*:)?registry(?=\s*=.*\$\{))\s*=/m,
    does: 'write to a place that the project names, or send data from its environment',
  },
];

const RUN = 'run a program from the project';
const PARENTS_MAX = 128;
const FILE_BYTES_MAX = 1_000_000; // settings that people write are a few lines

/** Why one of these programs would run what the project contains; null if it would not, as far as is known. */
export function programsBrought(programs: readonly string[], directory: string): string | null {
  for (const { programs: pattern, names, setting, does = RUN } of PROJECT_FILES) {
    const program = programs.find((each) => pattern.test(each));
    if (program === undefined) continue;
    let at = directory;
    for (let step = 0; step < PARENTS_MAX; step += 1) {
      for (const name of names) {
        const found = settingIn(`${at}/${name}`, setting);
        if (found !== null) return `"${found}" in ${at}/${name} can make ${program} ${does}`;
      }
      if (dirname(at) === at) break;
      at = dirname(at);
    }
  }
  return null;
}

/** What in a file names a program; null if nothing does, or there is no such file. */
function settingIn(path: string, setting: RegExp): string | null {
  try {
    const stats = statSync(path, { throwIfNoEntry: false });
    if (stats === undefined) return null;
    if (!stats.isFile() || stats.size > FILE_BYTES_MAX) return UNREADABLE;
    return setting.exec(readFileSync(path, 'utf8'))?.[1] ?? null;
  } catch (error) {
    return errnoOf(error) === 'ENOTDIR' ? null : UNREADABLE;
  }
}

const UNREADABLE = 'a file that cannot be read';
