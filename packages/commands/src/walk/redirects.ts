import type { CommandConcern, CommandRedirect, CommandWord } from '@countersign/protocol';
import { type Scope, spanIn } from '../collect/collector.js';
import type { Redirection } from '../parse/bash.js';
import { PROCESS_FILE, readWord } from '../parse/read-word.js';
import { UNKNOWN_PART } from '../words/word.js';

export function readRedirect(node: Redirection, scope: Scope, textNamesNetwork: boolean): CommandRedirect {
  const target = 'target' in node && node.target !== undefined ? readWord(node.target) : null;
  const span = spanIn(scope, { start: node.pos, end: node.end });
  return { operator: node.operator, target, effect: effectOf(node, target, textNamesNetwork), span };
}

export function concernOf({ effect, target, span }: CommandRedirect): CommandConcern | null {
  const name = target?.text ?? target?.source ?? 'a file';
  switch (effect) {
    case 'none':
    case 'reads':
      return null;
    case 'writes':
      return { type: 'redirect', to: 'file', why: `writes to ${name}`, span };
    case 'network':
      return { type: 'redirect', to: 'network', why: `opens a network connection (${name})`, span };
  }
}

const HARMLESS_TARGETS: readonly (string | null)[] = ['/dev/null', '/dev/stdout', '/dev/stderr'];

function effectOf(
  { operator }: Redirection,
  target: CommandRedirect['target'],
  textNamesNetwork: boolean,
): CommandRedirect['effect'] {
  switch (operator) {
    case '<<':
    case '<<-':
    case '<<<':
    case '<&':
      return 'none';
    case '<':
      if (target === null || isProcess(target)) return 'none';
      // A name that is not known may be that of a connection if the text mentions one.
      if (NETWORK.test(target.leading) || (target.text === null && textNamesNetwork)) return 'network';
      return 'reads';
    case '>&':
      return /^(?:\d+-?|-)$/.test(target?.text ?? '') ? 'none' : fileEffect(target);
    case '>':
    case '>>':
    case '>|':
    case '<>':
    case '&>':
    case '&>>':
      return fileEffect(target);
  }
}

function fileEffect(target: CommandRedirect['target']): CommandRedirect['effect'] {
  if (target === null) return 'writes';
  if (HARMLESS_TARGETS.includes(target.text) || isProcess(target)) return 'none';
  return NETWORK.test(target.leading) ? 'network' : 'writes';
}

/** `> >(command)`: no file; the command in it is judged. */
const isProcess = ({ leading, outline }: CommandWord): boolean =>
  leading === PROCESS_FILE && outline === UNKNOWN_PART;

const NETWORK = /^\/dev\/(?:tcp|udp)/;

export const namesNetwork = (text: string): boolean => /tcp|udp/.test(text);
