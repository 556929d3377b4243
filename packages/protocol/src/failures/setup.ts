import type { Entries } from './entry.js';

/** What can be wrong with files, options and modules of the user. */
export type SetupFailure =
  | {
      readonly code: 'policy_invalid';
      readonly file: string;
      readonly line: number;
      readonly problem: string;
    }
  | {
      readonly code: 'settings_invalid';
      readonly file: string;
      readonly line: number;
      readonly column: number;
      readonly problem: string;
    }
  | { readonly code: 'tool_module_invalid'; readonly file: string; readonly problem: string }
  | {
      readonly code: 'tool_discovery_failed';
      readonly command: string;
      readonly problem: string;
      readonly printed: string;
    }
  | { readonly code: 'usage'; readonly problem: string; readonly try: string };

export const SETUP_FAILURES: Entries<SetupFailure> = {
  policy_invalid: {
    audience: 'person',
    when: 'A policy file cannot be parsed, or a rule in it cannot be used.',
    message: ({ file, line, problem }) => `${file}:${line}: ${problem}`,
    hint: () => 'Correct the file. No call runs until it loads.',
  },
  settings_invalid: {
    audience: 'person',
    when: 'A settings file cannot be parsed, or holds a value that cannot be used.',
    message: ({ file, line, column, problem }) => `${file}:${line}:${column}: ${problem}`,
    hint: () => 'Correct the file, or remove that part. Nothing runs until the whole file can be used.',
  },
  tool_module_invalid: {
    audience: 'person',
    when: 'A module given with --tools cannot be used.',
    message: ({ file, problem }) => `${file} does not provide tools: ${problem}.`,
    hint: () => 'Export an array of tools as default. See docs/ARCHITECTURE.md, "A tool".',
  },
  tool_discovery_failed: {
    audience: 'person',
    when: 'The command that lists the tools of a project failed, or printed something else.',
    message: ({ command, problem, printed }) =>
      `The tool discovery command "${command}" ${problem}.${printed === '' ? '' : ` It printed: ${printed}`}`,
    hint: () =>
      'No tool was discovered. The command must print a JSON list of function declarations, e.g. [{"name": "…", "description": "…", "parametersJsonSchema": {…}}].',
  },
  usage: {
    audience: 'person',
    when: 'The command line is not valid.',
    message: ({ problem }) => problem,
    hint: (failure) => `Try: ${failure.try}`,
  },
};
