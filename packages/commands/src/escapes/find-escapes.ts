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
import type { EscapeFinder } from './option-escapes.js';
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
  git: gitEscapes,
  find: findFilesEscapes,
  fd: fdEscapes,
  fdfind: fdEscapes,
  unzip: unzipEscapes,
  tar: tarEscapes,
  gtar: tarEscapes,
  bsdtar: tarEscapes,
  rsync: rsyncEscapes,
  sort: sortEscapes,
  split: splitEscapes,
  wc: namesFromFileEscapes,
  du: namesFromFileEscapes,
  jq: jqEscapes,
  tree: treeEscapes,
  file: fileEscapes,
  date: dateEscapes,
  rg: rgEscapes,
  uniq: uniqEscapes,
  zip: zipEscapes,
  less: lessEscapes,
  more: lessEscapes,
  ssh: sshEscapes,
  scp: scpEscapes,
  sftp: scpEscapes,
  curl: curlEscapes,
  man: manEscapes,
  sed: sedEscapes,
  gsed: sedEscapes,
  awk: awkEscapes,
  gawk: awkEscapes,
  mawk: awkEscapes,
  nawk: awkEscapes,
  make: makeEscapes,
  gmake: makeEscapes,
  npm: npmEscapes,
  pnpm: npmEscapes,
  go: goEscapes,
  cargo: cargoEscapes,
  pip: pipEscapes,
  pip3: pipEscapes,
  uv: pipEscapes,
  docker: dockerEscapes,
  podman: dockerEscapes,
  kubectl: kubectlEscapes,
  gh: ghEscapes,
  gem: gemEscapes,
  vim: vimEscapes,
  vi: vimEscapes,
  nvim: vimEscapes,
  view: vimEscapes,
  vimdiff: vimEscapes,
  gvim: vimEscapes,
  rvim: vimEscapes,
  ex: vimEscapes,
  hash: hashEscapes,
  enable: enableEscapes,
  compgen: callbackEscapes,
  complete: callbackEscapes,
  bind: callbackEscapes,
  mapfile: callbackEscapes,
  readarray: callbackEscapes,
  set: setEscapes,
  shopt: shoptEscapes,
  source: sourceEscapes,
  '.': sourceEscapes,
};

/** The options and arguments that make a program run another, write a file, load code or look elsewhere for its configuration. */
export function findEscapes(
  words: readonly CommandWord[],
  input: CommandUnit['input'],
): readonly CommandConcern[] {
  const name = baseName(words[0]?.text ?? '');
  const finder = Object.hasOwn(FINDERS, name) ? FINDERS[name] : undefined;
  return finder === undefined ? [] : finder(words, input);
}
