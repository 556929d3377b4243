import { names, readArguments } from '../words/options.js';
import {
  byOptions,
  type EscapeFinder,
  escape,
  OTHER_CONFIGURATION,
  OTHER_HOST,
  optionEscapes,
  RUNS_PROGRAM,
  unknownEscapes,
  WRITES_FILE,
} from './option-escapes.js';

// Programs that list what is installed or runs, unless an option names a host to ask.

const PIP_ESCAPES = {
  '-i': OTHER_HOST,
  '--index-url': OTHER_HOST,
  '--pypi-url': OTHER_HOST,
  '--extra-index-url': OTHER_HOST,
  '--find-links': OTHER_HOST,
  '--proxy': OTHER_HOST,
  '--trusted-host': OTHER_HOST,
  '--cert': OTHER_CONFIGURATION,
  '--client-cert': OTHER_CONFIGURATION,
  '--keyring-provider': RUNS_PROGRAM,
  '--python': RUNS_PROGRAM,
  '--log': WRITES_FILE,
  '--log-file': WRITES_FILE,
  '--local-log': WRITES_FILE,
  '--cache-dir': WRITES_FILE,
} as const;

const ASKS_INDEX = 'asks the package index on the network';
/** Short ones that mean something else in other sub-commands. */
const PIP_LIST_ESCAPES = {
  '-f': OTHER_HOST,
  '-o': ASKS_INDEX,
  '-u': ASKS_INDEX,
  '--outdated': ASKS_INDEX,
  '--uptodate': ASKS_INDEX,
} as const;

export const pipEscapes: EscapeFinder = (words) => {
  const tokens = readArguments(words, {
    valued: 'ir',
    valuedLong: names(
      'index-url pypi-url extra-index-url find-links proxy trusted-host cert client-cert keyring-provider python log log-file cache-dir format path exclude requirement retries timeout exists-action',
    ),
  });
  const sub = tokens.find(({ type }) => type === 'operand')?.word.text ?? '';
  const options = sub === 'list' || sub === 'freeze' ? { ...PIP_ESCAPES, ...PIP_LIST_ESCAPES } : PIP_ESCAPES;
  return [...optionEscapes(tokens, options), ...unknownEscapes(tokens)];
};

const DOCKER_ESCAPES = {
  '-H': OTHER_HOST,
  '--host': OTHER_HOST,
  '-c': OTHER_CONFIGURATION,
  '--context': OTHER_CONFIGURATION,
  '--config': OTHER_CONFIGURATION,
} as const;

/** `docker run -c 512 image` and whatever follows the image mean something else: only these are distinguished here. */
const DOCKER_READS = /^(?:ps|images|logs|inspect|version|info|ls|list)$/;

export const dockerEscapes: EscapeFinder = (words) => {
  const tokens = readArguments(words, {
    valued: 'Hcfn',
    valuedLong: names('host context config filter format last tail since until log-level'),
  });
  const sub = tokens.findIndex(({ type }) => type === 'operand');
  const reads = DOCKER_READS.test(tokens[sub]?.word.text ?? '');
  return optionEscapes(reads ? tokens : tokens.slice(0, Math.max(sub, 0)), DOCKER_ESCAPES);
};

export const kubectlEscapes = byOptions(
  {
    '-s': OTHER_HOST,
    '--server': OTHER_HOST,
    '--server-print': null,
    '--proxy-url': OTHER_HOST,
    '--kubeconfig': OTHER_CONFIGURATION,
    '--context': OTHER_CONFIGURATION,
    '--cluster': OTHER_CONFIGURATION,
  },
  { valued: 'snlo', valuedLong: names('server kubeconfig context cluster namespace selector output') },
);

export const ghEscapes: EscapeFinder = (words) =>
  words
    .slice(1)
    .filter(({ leading }) => /^--hostname(?:=|$)/.test(leading))
    .map((word) => escape(word, OTHER_HOST));

export const gemEscapes = byOptions(
  {
    '-s': OTHER_HOST,
    '--source': OTHER_HOST,
    '--clear-sources': OTHER_HOST,
    '-p': OTHER_HOST,
    '--http-proxy': OTHER_HOST,
    '--config-file': OTHER_CONFIGURATION,
  },
  { valued: 'sp', valuedLong: names('source http-proxy config-file') },
);
