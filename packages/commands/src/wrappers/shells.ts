import type { CommandConcern, CommandWord } from '@countersign/protocol';
import { names } from '../words/options.js';
import { code, opaque, type Reading } from './reading.js';

/** Shells whose `-c` text is judged as if it were given directly. The others need a rule of their own as well. */
const TRANSPARENT: readonly string[] = ['bash', 'sh', 'zsh', 'dash'];
export const SHELLS: ReadonlySet<string> = new Set([
  ...TRANSPARENT,
  ...names('rbash ksh mksh ash yash fish csh tcsh'),
]);

/** Those that read what bash reads, and alike. */
const LIKE_BASH: readonly string[] = ['bash', 'rbash', 'zsh'];

const FLAGS = /^[abefhiklmnprtuvxBCDEHPTs]$/;
const LONG_FLAGS = names('--login --noprofile --norc --posix --restricted --verbose --noediting');
const STARTUP_FILES = ['--rcfile', '--init-file'];
/** Files that are the input of the shell or come from a pipe. */
const INPUT_FILE = /^\/dev\/(?:stdin|fd\/)|^\/proc\/[^/]+\/fd\/|^-$/;

export function readShell(words: readonly CommandWord[], name: string, isPlainName: boolean): Reading {
  const concerns: CommandConcern[] = [];
  let wantsCode = false;
  let readsInput = false;
  let index = 1;
  for (; index < words.length; index += 1) {
    const word = words[index];
    if (word === undefined || (word.text !== null && !/^[-+]./.test(word.text))) break;
    const { text, span } = word;
    if (text === null) {
      const seen = wantsCode ? [code([word])] : [];
      return opaque('what this shell would run is not known', seen);
    }
    if (text === '--') {
      index += 1;
      break;
    }
    if (text === '--version' || text === '--help') return { role: { type: 'command' }, concerns, runs: [] };
    if (/^--(?:rc|init-)file$|^[-+]\w*[oO]$/.test(text) && words[index + 1]?.count === 'any')
      return opaque('what this shell would run is not known', [code(words.slice(index + 2))]);
    if (STARTUP_FILES.includes(text)) {
      concerns.push({ type: 'code', why: 'reads a start-up file, which is code', span });
      index += 1;
      continue;
    }
    if (LONG_FLAGS.includes(text)) continue;
    for (const letter of text.slice(1)) {
      if (letter === 'c') wantsCode = true;
      else if (letter === 's') readsInput = true;
      else if (letter === 'o' || letter === 'O') index += 1;
      else if (!FLAGS.test(letter))
        return opaque(`what this shell would run is not known because of ${text}`, [
          code(words.slice(index + 1)),
        ]);
      // Options of the grammar: what the text means is then not what is read here.
      if (/[Ok]/.test(letter) || (letter === 'o' && words[index]?.text === 'keyword'))
        concerns.push({ type: 'code', why: 'changes how its code is read', span });
    }
  }
  const script = words[index];
  if (wantsCode) return readCode(script, { name, isPlainName, concerns });
  if (script === undefined || readsInput || script.text === null || INPUT_FILE.test(script.text)) {
    const span = (script ?? words[0])?.span ?? { start: 0, end: 0 };
    concerns.push({ type: 'code', why: 'a shell that runs its standard input', span });
  }
  return { role: { type: 'command' }, concerns, runs: [] };
}

function readCode(
  script: CommandWord | undefined,
  shell: { name: string; isPlainName: boolean; concerns: readonly CommandConcern[] },
): Reading {
  const { name, isPlainName, concerns } = shell;
  if (script === undefined) return opaque('the code of this shell is not known');
  if (script.text === null) return opaque('the code of this shell is not known', [code([script])]);
  const role = isPlainName && TRANSPARENT.includes(name) ? 'neutral' : 'command';
  const language = LIKE_BASH.includes(name) ? 'bash' : 'posix';
  return { role: { type: role }, concerns, runs: [code([script], language)] };
}
