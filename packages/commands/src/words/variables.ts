import { names } from './options.js';

/** Variables that change how a program prints, and nothing else (SEMANTICS 1.3, 5b). */
const HARMLESS = /^(?:LANG|LANGUAGE|LC_[A-Z]+|TZ|NO_COLOR|FORCE_COLOR|CI|DEBUG|NODE_ENV|COLUMNS|LINES|TERM)$/;

export const isHarmlessVariable = (name: string): boolean => HARMLESS.test(name);

/** Families of variables that select programs, libraries, configuration or places to load from: `GIT_DIR`, not `TARGET`. */
const SENSITIVE_FAMILY =
  /^(?:LD|DYLD|GIT|BASH|PYTHON|PERL|PERL5|RUBY|LUA|NODE|NPM_CONFIG|YARN|PNPM|COREPACK|BUN|DENO|CARGO|RUSTUP|RUSTC|GO|CGO|JAVA|JDK|MAVEN|GRADLE|PIP|UV|CONDA|DOCKER|KUBE|AWS|SSH|SSL|OPENSSL|CURL|XDG|TEXTDOMAIN|MALLOC|GLIBC|GCONV|LESS|MAN|RIPGREP|VIM|RSYNC|TAR|GREP|MAKE|PKG_CONFIG|CMAKE|ELECTRON|SUDO|COMPOSER|BUNDLE|GEM|AWK|GH|GLAB|HELM|PODMAN|CONTAINER)_/;

/** The same without an underscore, and names by themselves. */
const SENSITIVE_RUN_ON =
  /^(?:(?:PYTHON|PERL5?|RUBY|BASH|VIM|MAKE|AWK|TEXTDOMAIN)[A-Z0-9]*|RUSTC|GO(?:PATH|ROOT|BIN|FLAGS|PROXY|NOPROXY|SUMDB|NOSUMDB|PRIVATE|INSECURE|ENV|CACHE|MODCACHE|CACHEPROG|OS|ARCH|TOOLCHAIN|VCS|WORK|AUTH|DEBUG|EXPERIMENT|TMPDIR)|LESS(?:OPEN|CLOSE|KEY[A-Z]*|EDIT|GLOBALTAGS|HISTFILE|CHARDEF|METACHARS|METAESCAPE)?|MAN(?:PATH|PAGER|OPT|ROFFSEQ|ROFFOPT|LESS))$/;

const SENSITIVE_ENDING =
  /(?:^|_)(?:PATH|PATHS|PAGER|EDITOR|BROWSER|ASKPASS|PROXY|SHELL|RSH|COMMAND|CMD|OPTIONS|OPTS|FLAGS|PRELOAD|STARTUP|RC|CONFIG|HOME|ROOT)$/;

const SENSITIVE: ReadonlySet<string> = new Set([
  ...names('PATH CDPATH MANPATH FPATH NLSPATH LOCPATH INFOPATH CLASSPATH GOPATH'),
  ...names('IFS ENV SHELLOPTS PS0 PS1 PS2 PS3 PS4 GLOBIGNORE EXECIGNORE FIGNORE'),
  ...names('VISUAL FCEDIT INPUTRC EXINIT MYVIMRC ZDOTDIR WGETRC NETRC HISTFILE'),
  ...names('CC CXX CPP LD AR AS NM RANLIB STRIP FC RUSTFLAGS TERMINFO TERMCAP'),
  ...names('HOSTALIASES RES_OPTIONS TMPDIR TMP TEMP POSIXLY_CORRECT TAPE KUBECONFIG PSMODULEPATH'),
]);

/** Whether setting it can change which program, library, start-up file or server a later command uses, or how words are split. */
export function isSensitiveVariable(name: string): boolean {
  const upper = name.toUpperCase();
  if (isHarmlessVariable(upper)) return false;
  return (
    SENSITIVE.has(upper) ||
    SENSITIVE_FAMILY.test(upper) ||
    SENSITIVE_RUN_ON.test(upper) ||
    SENSITIVE_ENDING.test(upper)
  );
}

/** `PATH=1`, `PATH++`, inside a longer expression as well. What cannot be assigned to (`a-PATH=1`) does not count. */
const ARITHMETIC_ASSIGNMENT =
  /(?<![\w$./-])([A-Z]\w*)(?:\[[^\][]*\])?\s*(?:\+\+|--|(?:[-+*/%&|^]|<<|>>)?=(?:\s*[\w(+~!-]|\s*$))|(?:\+\+|--)\s*([A-Z]\w*)/g;

/** Whether text, evaluated as arithmetic, would change such a variable: a `PATH` of 1 is a folder of that name. */
export function arithmeticSetsSensitive(text: string): boolean {
  // Nearly all text is neither, and every word of a command is looked at.
  if (!/[A-Z]/.test(text) || !/=|\+\+|--/.test(text)) return false;
  return [...text.matchAll(ARITHMETIC_ASSIGNMENT)].some(([, set, stepped]) =>
    isSensitiveVariable(set ?? stepped ?? ''),
  );
}

/** Bash evaluates what is assigned to these as arithmetic, and so runs a `$(…)` in a subscript. */
export const isIntegerVariable = (name: string): boolean =>
  /^(?:RANDOM|SECONDS|LINENO|HISTCMD|OPTIND|SRANDOM)$/.test(name);
