import type { CommandWord } from '@countersign/protocol';
import { names, readArguments, type Token } from '../words/options.js';
import { isHarmlessVariable, isSensitiveVariable } from '../words/variables.js';
import {
  type EscapeFinder,
  type EscapeOptions,
  escape,
  LOADS_CODE,
  OTHER_CONFIGURATION,
  OTHER_HOST,
  OTHER_PLACE,
  optionEscapes,
  RUNS_PROGRAM,
  WRITES_FILE,
} from './option-escapes.js';

// Programs that build and test: what they run by nature is theirs; these words make it something else.

const MAKE_ESCAPES: EscapeOptions = {
  '-f': LOADS_CODE,
  '--file': LOADS_CODE,
  '--makefile': LOADS_CODE,
  '--eval': LOADS_CODE,
  '-E': LOADS_CODE,
  '-I': LOADS_CODE,
  '--include-dir': LOADS_CODE,
  '-C': OTHER_PLACE,
  '--directory': OTHER_PLACE,
  '-e': OTHER_CONFIGURATION,
  '--environment-overrides': OTHER_CONFIGURATION,
};

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

const NPM_ESCAPES: EscapeOptions = {
  '--script-shell': RUNS_PROGRAM,
  '--shell': RUNS_PROGRAM,
  '--node-options': LOADS_CODE,
  '--git': RUNS_PROGRAM,
  '--editor': RUNS_PROGRAM,
  '--viewer': RUNS_PROGRAM,
  '--node-gyp': RUNS_PROGRAM,
  '--python': RUNS_PROGRAM,
  '--userconfig': OTHER_CONFIGURATION,
  '--globalconfig': OTHER_CONFIGURATION,
  '--init-module': LOADS_CODE,
  '--logs-dir': WRITES_FILE,
  '--cache': WRITES_FILE,
  '--cache-dir': WRITES_FILE,
  '--store-dir': WRITES_FILE,
  '--registry': 'takes packages from another source',
  '--proxy': OTHER_HOST,
  '--https-proxy': OTHER_HOST,
  '--http-proxy': OTHER_HOST,
  '--cafile': OTHER_CONFIGURATION,
  '--onload-script': LOADS_CODE,
  '--prefix': OTHER_PLACE,
  '-C': OTHER_PLACE,
  '--call': RUNS_PROGRAM,
  '-c': RUNS_PROGRAM,
};
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

const GO_ESCAPES: { readonly [option: string]: string } = {
  '-toolexec': RUNS_PROGRAM,
  '-exec': RUNS_PROGRAM,
  '-vettool': RUNS_PROGRAM,
  '-ldflags': RUNS_PROGRAM,
  '-gccgoflags': RUNS_PROGRAM,
  '-compiler': RUNS_PROGRAM,
  '-overlay': LOADS_CODE,
  '-modfile': OTHER_CONFIGURATION,
  '-pkgdir': OTHER_PLACE,
  '-C': OTHER_PLACE,
  '-o': WRITES_FILE,
  '-coverprofile': WRITES_FILE,
  '-cpuprofile': WRITES_FILE,
  '-memprofile': WRITES_FILE,
  '-blockprofile': WRITES_FILE,
  '-mutexprofile': WRITES_FILE,
  '-trace': WRITES_FILE,
  '-outputdir': WRITES_FILE,
  '-http': 'starts a server',
};

/** `go list` builds for some, and asks where modules come from for others. */
const GO_LIST_ESCAPES: { readonly [option: string]: string } = {
  '-export': RUNS_PROGRAM,
  '-compiled': RUNS_PROGRAM,
  '-u': OTHER_HOST,
  '-versions': OTHER_HOST,
  '-retracted': OTHER_HOST,
};

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
    const why = Object.hasOwn(GO_ESCAPES, option) ? GO_ESCAPES[option] : undefined;
    if (why !== undefined) return [escape(word, why)];
    if (word === own[0] && sub === 'generate') return [escape(word, RUNS_PROGRAM)];
    const listed =
      sub === 'list' && Object.hasOwn(GO_LIST_ESCAPES, option) ? GO_LIST_ESCAPES[option] : undefined;
    if (listed !== undefined) return [escape(word, listed)];
    return sub === 'env' && /^-[wu]$/.test(option) ? [escape(word, OTHER_CONFIGURATION)] : [];
  });
};

const CARGO_ESCAPES: EscapeOptions = {
  '--config': OTHER_CONFIGURATION,
  '--registry': OTHER_HOST,
  '--index': OTHER_HOST,
  '--manifest-path': OTHER_PLACE,
  '--target': null,
  '--target-dir': WRITES_FILE,
  '--out-dir': WRITES_FILE,
  '--artifact-dir': WRITES_FILE,
  '--lockfile-path': WRITES_FILE,
  '--fix': WRITES_FILE,
  '-Z': OTHER_CONFIGURATION,
  '-C': OTHER_PLACE,
};

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
