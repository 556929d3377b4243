import type { CommandWord } from '@countersign/protocol';
import { names, readArguments, type Token } from '../words/options.js';
import { isHarmlessVariable, isSensitiveVariable } from '../words/variables.js';
import { escape } from '../words/word.js';
import {
  type EscapeFinder,
  escapeOptions,
  HARMLESS,
  LOADS_CODE,
  OTHER_CONFIGURATION,
  OTHER_HOST,
  OTHER_PLACE,
  optionEscapes,
  RUNS_PROGRAM,
  WRITES_FILE,
} from './option-escapes.js';

// Programs that build and test: what they run by nature is theirs; these words make it something else.

const MAKE_ESCAPES = escapeOptions({
  [LOADS_CODE]: '-f --file --makefile --eval -E -I --include-dir',
  [OTHER_PLACE]: '-C --directory',
  [OTHER_CONFIGURATION]: '-e --environment-overrides',
});

export const makeEscapes: EscapeFinder = (words) => {
  const tokens = readArguments(words, {
    valued: 'CEfIoW',
    attached: 'jlO',
    valuedLong: names('file makefile directory eval include-dir old-file what-if'),
  });
  return [
    ...optionEscapes(tokens, MAKE_ESCAPES),
    ...tokens.flatMap(({ type, word }) =>
      type === 'operand' && choosesProgram(word)
        ? [escape(word, 'sets a variable that may select a program')]
        : [],
    ),
  ];
};

/** `SHELL=./x`, `CC=./x`, `ARGS='; rm x'`, `X='$(shell id)'`: a variable of a makefile becomes part of what is run. */
function choosesProgram({ leading, text }: CommandWord): boolean {
  const assigned = /^([^\s=:+?!]+)\s*(?::{0,3}|\+|\?|!)=/.exec(leading);
  const name = assigned?.[1];
  if (name === undefined || (isHarmlessVariable(name) && text !== null)) return false;
  return (
    isSensitiveVariable(name) ||
    /^(?:MAKE|\.SHELL|\.ONESHELL|RM|INSTALL)/.test(name) ||
    !/=[\w.,:@%+-]*$/.test(text ?? '$')
  );
}

const NPM_ESCAPES = escapeOptions({
  [RUNS_PROGRAM]: '--script-shell --shell --git --editor --viewer --node-gyp --python --call -c',
  [LOADS_CODE]: '--node-options --init-module --onload-script',
  [OTHER_CONFIGURATION]: '--userconfig --globalconfig --cafile',
  [WRITES_FILE]: '--logs-dir --cache --cache-dir --store-dir',
  'takes packages from another source': '--registry',
  [OTHER_HOST]: '--proxy --https-proxy --http-proxy',
  [OTHER_PLACE]: '--prefix -C',
});
const NPM_READS =
  /^(?:ls|list|ll|la|outdated|root|prefix|bin|view|info|show|config|c|why|explain|fund|audit|search|help|get)$/;

export const npmEscapes: EscapeFinder = (words) => {
  const end = words.findIndex(({ text }) => text === '--');
  const tokens = readArguments(end === -1 ? words : words.slice(0, end), { valued: 'Cwc' });
  const [sub, verb] = tokens.flatMap((token) => (token.type === 'operand' ? [token.word] : []));
  const isGlobal = (token: Token) =>
    token.type === 'option' && /^(?:-g|--global|--location)$/.test(token.name);
  return [
    ...optionEscapes(tokens, NPM_ESCAPES),
    ...tokens.filter(namesRegistry).map(({ word }) => escape(word, OTHER_HOST)),
    ...(NPM_READS.test(sub?.text ?? '')
      ? []
      : tokens
          .filter(isGlobal)
          .map(({ word }) => escape(word, 'changes what is installed for every project'))),
    ...(sub !== undefined && changesNpmSettings(sub, verb)
      ? [escape(verb ?? sub, 'changes settings, which may name programs to run')]
      : []),
    ...(/^(?:explore|edit)$/.test(sub?.text ?? '') && sub !== undefined ? [escape(sub, RUNS_PROGRAM)] : []),
  ];
};

/** `--@scope:registry=…` and `--//host/:_authToken=…` are settings of one scope or host. */
const namesRegistry = ({ word }: Token): boolean => /^--(?:@|\/\/|.*:registry)/.test(word.leading);

const changesNpmSettings = (sub: CommandWord, verb: CommandWord | undefined): boolean =>
  sub.text === 'set' ||
  (/^(?:config|c)$/.test(sub.text ?? '') && !/^(?:get|list|ls)$/.test(verb?.text ?? 'list')) ||
  (sub.text === 'pkg' && verb?.text !== 'get');

const GO_ESCAPES = escapeOptions({
  [RUNS_PROGRAM]: '-toolexec -exec -vettool -ldflags -gccgoflags -compiler',
  [LOADS_CODE]: '-overlay',
  [OTHER_CONFIGURATION]: '-modfile',
  [OTHER_PLACE]: '-pkgdir -C',
  [WRITES_FILE]: '-o -coverprofile -cpuprofile -memprofile -blockprofile -mutexprofile -trace -outputdir',
  'starts a server': '-http',
});

/** `go list` builds for some, and asks where modules come from for others. */
const GO_LIST_ESCAPES = escapeOptions({
  [RUNS_PROGRAM]: '-export -compiled',
  [OTHER_HOST]: '-u -versions -retracted',
});

/** Leaving out symbols, and setting strings: what releases are linked with. Others choose the linker. */
const HARMLESS_LINKING = /^(?:\s*(?:-[sw]|-X[= ][\w./]+=[\w.+-]*)(?=\s|$))*\s*$/;

/** Options of go have one dash or two, and their value after `=` or in the next word. */
export const goEscapes: EscapeFinder = (words) => {
  const end = words.findIndex(({ text }) => text === '-args' || text === '--args');
  const own = words.slice(1, end === -1 ? undefined : end);
  const sub = own[0]?.text;
  return own.flatMap((word, index) => {
    const option = /^-?(-[^=]+)/.exec(word.leading)?.[1] ?? '';
    const value = word.leading.includes('=') ? word.text?.replace(/^[^=]*=/, '') : own[index + 1]?.text;
    if (option === '-ldflags' && HARMLESS_LINKING.test(value ?? '?')) return [];
    if (word === own[0] && sub === 'generate') return [escape(word, RUNS_PROGRAM)];
    const why = GO_ESCAPES.get(option) ?? (sub === 'list' ? GO_LIST_ESCAPES.get(option) : undefined) ?? null;
    if (why !== null) return [escape(word, why)];
    return sub === 'env' && /^-[wu]$/.test(option) ? [escape(word, OTHER_CONFIGURATION)] : [];
  });
};

const CARGO_ESCAPES = escapeOptions({
  [HARMLESS]: '--target',
  [OTHER_CONFIGURATION]: '--config -Z',
  [OTHER_HOST]: '--registry --index',
  [OTHER_PLACE]: '--manifest-path -C',
  [WRITES_FILE]: '--target-dir --out-dir --artifact-dir --lockfile-path --fix',
});

export const cargoEscapes: EscapeFinder = (words) => {
  const end = words.findIndex(({ text }) => text === '--');
  const tokens = readArguments(end === -1 ? words : words.slice(0, end), { valued: 'ZCpjF' });
  const sub = tokens.find(({ type, word }) => type === 'operand' && !word.leading.startsWith('+'));
  const passesOn = end !== -1 && /^(?:rustc|rustdoc)$/.test(sub?.word.text ?? '') ? words[end] : undefined;
  return [
    ...optionEscapes(tokens, CARGO_ESCAPES),
    ...(passesOn === undefined
      ? []
      : [escape(passesOn, 'gives options to the compiler, which may run a program')]),
  ];
};
