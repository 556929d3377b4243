import { baseName } from '@countersign/kernel';
import type { CommandConcern, CommandUnit, CommandWord } from '@countersign/protocol';
import { cargoEscapes, goEscapes, makeEscapes, npmEscapes } from './builders.js';
import {
  callbackEscapes,
  enableEscapes,
  hashEscapes,
  setEscapes,
  shoptEscapes,
  sourceEscapes,
} from './builtins.js';
import { vimEscapes } from './editors.js';
import {
  checksumEscapes,
  fdEscapes,
  findEscapes as findFilesEscapes,
  lessEscapes,
  namesFromFileEscapes,
  responseFileEscapes,
  rgEscapes,
  rsyncEscapes,
  sortEscapes,
  splitEscapes,
  tarEscapes,
  uniqEscapes,
  unzipEscapes,
  zipEscapes,
} from './files.js';
import { gitEscapes } from './git.js';
import { jqEscapes } from './jq.js';
import { dateEscapes, fileEscapes, treeEscapes } from './looking.js';
import { curlEscapes, manEscapes, scpEscapes, sshEscapes } from './network.js';
import { type EscapeFinder } from './option-escapes.js';
import { dockerEscapes, gemEscapes, ghEscapes, kubectlEscapes, pipEscapes } from './package-managers.js';
import { awkEscapes, sedEscapes } from './text-programs.js';

const each = (programs: string, finder: EscapeFinder): { readonly [program: string]: EscapeFinder } =>
  Object.fromEntries(programs.split(' ').map((program) => [program, finder]));

const FINDERS: { readonly [program: string]: EscapeFinder } = {
  ...each('md5sum sha1sum sha224sum sha256sum sha384sum sha512sum b2sum cksum sum shasum', checksumEscapes),
  ...each(
    'strings nm objdump readelf size ar ranlib ld as addr2line c++filt objcopy strip gprof cc c++ gcc g++ clang clang++ javac javadoc java jar',
    responseFileEscapes,
  ),
  ...each('fd fdfind', fdEscapes),
  ...each('tar gtar bsdtar', tarEscapes),
  ...each('wc du', namesFromFileEscapes),
  ...each('less more', lessEscapes),
  ...each('scp sftp', scpEscapes),
  ...each('sed gsed', sedEscapes),
  ...each('awk gawk mawk nawk', awkEscapes),
  ...each('make gmake', makeEscapes),
  ...each('npm pnpm', npmEscapes),
  ...each('pip pip3 uv', pipEscapes),
  ...each('docker podman', dockerEscapes),
  ...each('vim vi nvim view vimdiff gvim rvim ex', vimEscapes),
  ...each('compgen complete bind mapfile readarray', callbackEscapes),
  ...each('source .', sourceEscapes),
  git: gitEscapes,
  find: findFilesEscapes,
  unzip: unzipEscapes,
  rsync: rsyncEscapes,
  sort: sortEscapes,
  split: splitEscapes,
  jq: jqEscapes,
  tree: treeEscapes,
  file: fileEscapes,
  date: dateEscapes,
  rg: rgEscapes,
  uniq: uniqEscapes,
  zip: zipEscapes,
  ssh: sshEscapes,
  curl: curlEscapes,
  man: manEscapes,
  go: goEscapes,
  cargo: cargoEscapes,
  kubectl: kubectlEscapes,
  gh: ghEscapes,
  gem: gemEscapes,
  hash: hashEscapes,
  enable: enableEscapes,
  set: setEscapes,
  shopt: shoptEscapes,
};

/** The options and arguments that make a program run another, write a file, load code or look elsewhere for its configuration. */
export function findEscapes(
  words: readonly CommandWord[],
  input: CommandUnit['input'],
): readonly CommandConcern[] {
  const name = baseName(words[0]?.text ?? '');
  return Object.hasOwn(FINDERS, name) ? (FINDERS[name]?.(words, input) ?? []) : [];
}
