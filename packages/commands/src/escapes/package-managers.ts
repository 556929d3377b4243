import { names, readArguments } from '../words/options.js';
import {
  byOptions,
  byPatterns,
  type EscapeFinder,
  escapeOptions,
  HARMLESS,
  OTHER_CONFIGURATION,
  OTHER_HOST,
  optionEscapes,
  RUNS_PROGRAM,
  unknownEscapes,
  WRITES_FILE,
} from './option-escapes.js';

// Programs that list what is installed or runs, unless an option names a host to ask.

const PIP_ESCAPES = escapeOptions({
  [OTHER_HOST]: '-i --index-url --pypi-url --extra-index-url --find-links --proxy --trusted-host',
  [OTHER_CONFIGURATION]: '--cert --client-cert',
  [RUNS_PROGRAM]: '--keyring-provider --python',
  [WRITES_FILE]: '--log --log-file --local-log --cache-dir',
});

const ASKS_INDEX = 'asks the package index on the network';
/** Short ones that mean something else in other sub-commands. */
const PIP_LIST_ESCAPES = escapeOptions({
  [OTHER_HOST]: '-f',
  [ASKS_INDEX]: '-o -u --outdated --uptodate',
});

export const pipEscapes: EscapeFinder = (words) => {
  const tokens = readArguments(words, {
    valued: 'ir',
    valuedLong: names(
      'index-url pypi-url extra-index-url find-links proxy trusted-host cert client-cert keyring-provider python log log-file cache-dir format path exclude requirement retries timeout exists-action',
    ),
  });
  const sub = tokens.find(({ type }) => type === 'operand')?.word.text ?? '';
  const options =
    sub === 'list' || sub === 'freeze' ? new Map([...PIP_ESCAPES, ...PIP_LIST_ESCAPES]) : PIP_ESCAPES;
  return [...optionEscapes(tokens, options), ...unknownEscapes(tokens)];
};

const DOCKER_ESCAPES = escapeOptions({
  [OTHER_HOST]: '-H --host',
  [OTHER_CONFIGURATION]: '-c --context --config',
});

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
    [OTHER_HOST]: '-s --server --proxy-url',
    [HARMLESS]: '--server-print',
    [OTHER_CONFIGURATION]: '--kubeconfig --context --cluster',
  },
  { valued: 'snlo', valuedLong: names('server kubeconfig context cluster namespace selector output') },
);

export const ghEscapes = byPatterns([[/^--hostname(?:=|$)/, OTHER_HOST]]);

export const gemEscapes = byOptions(
  {
    [OTHER_HOST]: '-s --source --clear-sources -p --http-proxy',
    [OTHER_CONFIGURATION]: '--config-file',
  },
  { valued: 'sp', valuedLong: names('source http-proxy config-file') },
);
