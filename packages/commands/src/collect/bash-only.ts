import type { SyntaxNode } from '../parse/bash.js';

/** Whose grammar a text is read with in the end. `posix`: a shell that may know no more than that, such as dash. */
export type Language = 'bash' | 'posix';

/**
 * Whether other shells take this for something else that they can run: to dash
 * `a &> f b` is two commands, `((a))` and `[[ x || a ]]` run `a`, and `$'\'` ends
 * where bash reads on. What they refuse as an error can stay.
 */
export function isBashOnly(node: SyntaxNode): boolean {
  switch (node.type) {
    case 'AnsiCQuoted':
    case 'LocaleString':
    case 'TestCommand':
    case 'ArithmeticCommand':
    case 'BraceExpansion':
    case 'FileDescriptorVariable':
      return true;
    case 'ArithmeticExpansion':
      return node.text.startsWith('$[');
    case 'Redirect':
      return node.operator.startsWith('&');
    default:
      return false;
  }
}
