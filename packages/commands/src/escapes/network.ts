import { names, readArguments, type Token } from '../words/options.js';
import { escape } from '../words/word.js';
import {
  byOptions,
  type EscapeFinder,
  type EscapeOptions,
  escapeOptions,
  HARMLESS,
  LOADS_CODE,
  OTHER_CONFIGURATION,
  optionEscapes,
  RUNS_PROGRAM,
  WRITES_FILE,
} from './option-escapes.js';

/** What may be set with `-o` and neither runs, loads nor writes anything here; every other keyword may. */
const HARMLESS_SSH_KEYWORDS =
  /^(?:stricthostkeychecking|connecttimeout|connectionattempts|batchmode|serveraliveinterval|serveralivecountmax|tcpkeepalive|loglevel|user|port|hostname|identityfile|identitiesonly|compression|addressfamily|preferredauthentications|passwordauthentication|pubkeyauthentication|numberofpasswordprompts|requesttty|hostkeyalgorithms|ciphers|macs|kexalgorithms)(?:[ =]|$)/i;

const SSH_ESCAPES = escapeOptions({
  [OTHER_CONFIGURATION]: '-F',
  [WRITES_FILE]: '-E',
  [LOADS_CODE]: '-I',
  'uses another control socket': '-S',
});

export const sshEscapes = remoteEscapes(SSH_ESCAPES, 'BbcDEeFIiJLlmOopQRSWw', true);

export const scpEscapes = remoteEscapes(
  escapeOptions({ [RUNS_PROGRAM]: '-S -D', [OTHER_CONFIGURATION]: '-F' }),
  'cDFiJloPSX',
  false,
);

/** In `ssh`, options may also follow the host, up to the command that runs there. */
function remoteEscapes(options: EscapeOptions, valued: string, hasCommand: boolean): EscapeFinder {
  return (words) => {
    const tokens = beforeCommand(readArguments(words, { valued }), hasCommand);
    return [
      ...optionEscapes(tokens, options),
      ...tokens.flatMap((token) =>
        token.type === 'option' &&
        token.name === '-o' &&
        !HARMLESS_SSH_KEYWORDS.test(token.value?.leading.trim() ?? '')
          ? [escape(token.word, OTHER_CONFIGURATION)]
          : [],
      ),
    ];
  };
}

function beforeCommand(tokens: readonly Token[], hasCommand: boolean): readonly Token[] {
  const operands = tokens.flatMap((token, at) => (token.type === 'operand' ? [at] : []));
  return hasCommand ? tokens.slice(0, operands[1]) : tokens;
}

const CURL_ESCAPES = escapeOptions({
  [HARMLESS]: '--cookie --netrc',
  [WRITES_FILE]:
    '-o -O -J -D -c --output --output-dir --remote-name --remote-name-all --remote-header-name --dump-header --cookie-jar --trace --trace-ascii --stderr --libcurl --etag-save --hsts --alt-svc',
  [OTHER_CONFIGURATION]: '-K --config --netrc-file',
  'connects through another server': '-x --proxy --preproxy',
  [LOADS_CODE]: '--engine',
  'connects to another server': '--unix-socket',
});
const CURL_HARMLESS_FILES: readonly (string | null)[] = ['-', '/dev/null', '/dev/stdout', '/dev/stderr'];

export const curlEscapes: EscapeFinder = (words) => {
  const tokens = readArguments(words, {
    valued: 'AbcCdDeEFhHKmoPQrtTuUwxXyYz',
    valuedLong: names(
      'output dump-header write-out data header request url user-agent max-time retry stderr cookie form user data-raw data-binary data-urlencode connect-timeout',
    ),
  });
  const writesNothing = (token: (typeof tokens)[number]): boolean =>
    token.type === 'option' &&
    /^(?:-[oD]|--output|--dump-header|--stderr)$/.test(token.name) &&
    CURL_HARMLESS_FILES.includes(token.value?.text ?? '');
  return [
    ...optionEscapes(
      tokens.filter((token) => !writesNothing(token)),
      CURL_ESCAPES,
    ),
    // `%output{file}` in what is printed at the end writes that file; `@file` takes the text from one.
    ...tokens.flatMap((token) =>
      token.type === 'option' &&
      /^(?:-w|--write-out)$/.test(token.name) &&
      /%output|^@/.test(token.value?.outline ?? '')
        ? [escape(token.word, WRITES_FILE)]
        : [],
    ),
  ];
};

export const manEscapes = byOptions(
  {
    [RUNS_PROGRAM]: '-P -H -X -p --pager --html --gxditview --preprocessor',
    [OTHER_CONFIGURATION]: '-C -M --config-file --manpath --path',
    [LOADS_CODE]: '-l --local-file',
  },
  { valued: 'CLmMSsePrEpR' },
);
