import { names, readArguments, type Token } from '../words/options.js';
import {
  byOptions,
  type EscapeFinder,
  type EscapeOptions,
  escape,
  LOADS_CODE,
  OTHER_CONFIGURATION,
  optionEscapes,
  RUNS_PROGRAM,
  WRITES_FILE,
} from './option-escapes.js';

/** What may be set with `-o` and neither runs, loads nor writes anything here; every other keyword may. */
const HARMLESS_SSH_KEYWORDS =
  /^(?:stricthostkeychecking|connecttimeout|connectionattempts|batchmode|serveraliveinterval|serveralivecountmax|tcpkeepalive|loglevel|user|port|hostname|identityfile|identitiesonly|compression|addressfamily|preferredauthentications|passwordauthentication|pubkeyauthentication|numberofpasswordprompts|requesttty|hostkeyalgorithms|ciphers|macs|kexalgorithms)(?:[ =]|$)/i;

const SSH_ESCAPES: EscapeOptions = {
  '-F': OTHER_CONFIGURATION,
  '-E': WRITES_FILE,
  '-I': LOADS_CODE,
  '-S': 'uses another control socket',
};

export const sshEscapes = remoteEscapes(SSH_ESCAPES, 'BbcDEeFIiJLlmOopQRSWw', true);

export const scpEscapes = remoteEscapes(
  { '-S': RUNS_PROGRAM, '-D': RUNS_PROGRAM, '-F': OTHER_CONFIGURATION },
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

const CURL_ESCAPES: EscapeOptions = {
  '-o': WRITES_FILE,
  '-O': WRITES_FILE,
  '-J': WRITES_FILE,
  '-D': WRITES_FILE,
  '-c': WRITES_FILE,
  '-K': OTHER_CONFIGURATION,
  '-x': 'connects through another server',
  '--output': WRITES_FILE,
  '--output-dir': WRITES_FILE,
  '--remote-name': WRITES_FILE,
  '--remote-name-all': WRITES_FILE,
  '--remote-header-name': WRITES_FILE,
  '--dump-header': WRITES_FILE,
  '--cookie': null,
  '--cookie-jar': WRITES_FILE,
  '--config': OTHER_CONFIGURATION,
  '--trace': WRITES_FILE,
  '--trace-ascii': WRITES_FILE,
  '--stderr': WRITES_FILE,
  '--libcurl': WRITES_FILE,
  '--etag-save': WRITES_FILE,
  '--hsts': WRITES_FILE,
  '--alt-svc': WRITES_FILE,
  '--engine': LOADS_CODE,
  '--proxy': 'connects through another server',
  '--preproxy': 'connects through another server',
  '--unix-socket': 'connects to another server',
  '--netrc': null,
  '--netrc-file': OTHER_CONFIGURATION,
};
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
    '-P': RUNS_PROGRAM,
    '-H': RUNS_PROGRAM,
    '-X': RUNS_PROGRAM,
    '-p': RUNS_PROGRAM,
    '-C': OTHER_CONFIGURATION,
    '-M': OTHER_CONFIGURATION,
    '-l': LOADS_CODE,
    '--pager': RUNS_PROGRAM,
    '--html': RUNS_PROGRAM,
    '--gxditview': RUNS_PROGRAM,
    '--preprocessor': RUNS_PROGRAM,
    '--config-file': OTHER_CONFIGURATION,
    '--manpath': OTHER_CONFIGURATION,
    '--path': OTHER_CONFIGURATION,
    '--local-file': LOADS_CODE,
  },
  { valued: 'CLmMSsePrEpR' },
);
