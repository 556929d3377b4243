import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { confine } from '../bubblewrap.js';
import { ownFilesIn } from '../own-files.js';
import { probeSandbox } from '../probe.js';
import { type Profile, type ProfileOptions, profileFor } from '../profile/profile.js';
import type { Probe } from '../sandbox.js';

const NOBODY = 65_534;

/** Root passes by many a check that stops others, and is stopped by none that others pass: both have to be tried. */
export type Person = { readonly name: string; readonly uid: number; readonly gid: number };
const [uid = 0, gid = 0] = [process.geteuid?.(), process.getegid?.()];
export const PERSONS: readonly Person[] =
  uid === 0
    ? [
        { name: 'root', uid, gid },
        { name: 'nobody', uid: NOBODY, gid: NOBODY },
      ]
    : [{ name: 'user', uid, gid }];

const found: Probe = await probeSandbox();
/** Why nothing can be shown here; null where it can. */
export const UNAVAILABLE: string | null = found.available ? null : `${found.why} ${found.fix}`;

export type Ran = { readonly code: number | null; readonly output: string };

/** A workspace and a home directory that belong to one person. */
export class Place {
  readonly base: string;
  readonly workspace: string;
  readonly home: string;

  constructor(
    readonly person: Person,
    parent: string = tmpdir(),
  ) {
    this.base = realpathSync(mkdtempSync(join(parent, 'countersign-sandbox-')));
    this.workspace = join(this.base, 'ws');
    this.home = join(this.base, 'home');
    chmodSync(this.base, 0o755);
    for (const directory of [this.workspace, this.home]) {
      mkdirSync(directory);
      this.#own(directory);
    }
  }

  put(path: string, content = ''): string {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, content);
    for (let at = path; at !== this.base; at = dirname(at)) this.#own(at);
    return path;
  }

  profile(options: Partial<ProfileOptions> = {}): Profile {
    return profileFor({
      workspace: this.workspace,
      home: this.home,
      ours: [],
      needs: [],
      named: [],
      extraWritable: [],
      extraReadable: [],
      scratch: null,
      isGuarded,
      ...options,
    });
  }

  commandLine(script: string, profile: Profile = this.profile()): readonly string[] {
    if (!found.available) throw new Error(found.why);
    const own = ownFilesIn(join(this.base, 'own'));
    chmodSync(join(this.base, 'own'), 0o755);
    return confine(found, profile, { argv: ['bash', '-c', script], directory: profile.workspace, own });
  }

  run(script: string, profile?: Profile): Ran {
    const [program = '', ...args] = this.commandLine(`exec 2>&1; ${script}`, profile);
    const { status, stdout, stderr } = spawnSync(program, args, { ...this.options(), timeout: 10_000 });
    return { code: status, output: `${stderr.toString()}${stdout.toString()}`.trim() };
  }

  options() {
    const { uid, gid } = this.person;
    return { uid, gid, cwd: this.workspace, env: { PATH: process.env['PATH'] ?? '', HOME: this.home } };
  }

  inWorkspace(): string[] {
    return readdirSync(this.workspace).sort();
  }

  remove(): void {
    rmSync(this.base, { recursive: true, force: true });
  }

  #own(path: string): void {
    chownSync(path, this.person.uid, this.person.gid);
  }
}

const GUARDED = ['.vscode', '.envrc', '.countersign', '.ssh'];
export const isGuarded = (path: string): boolean => GUARDED.some((name) => path.split('/').includes(name));
