// What is judged, and by which rules: the same for us and for a peer.

/**
 * @typedef {object} Judge
 * @property {(rules: number, kind: number) => Promise<void>} [check] CHECKS checks of that kind; throws if one does not allow
 * @property {() => Promise<void>} [close]
 *
 * @typedef {object} Kind
 * @property {string} what
 * @property {number} usMax the target
 * @property {'tool' | 'command'} about
 * @property {'fresh' | 'seen'} text whether each check has a line of its own, or all have the same
 * @property {(last: number, serial: number) => string} line `last`: the number of the weakest rule about a command
 */

export const RULES = [10, 100, 1_000];
export const CHECKS = 200;

/** @type {readonly Kind[]} */
export const KINDS = [
  { what: 'a call that is no command', usMax: 3, about: 'tool', text: 'seen', line: () => '' },
  {
    what: 'a simple command, with its parse',
    usMax: 100,
    about: 'command',
    text: 'fresh',
    line: (last, serial) => `cmd${last} --flag value${serial}`,
  },
  {
    what: 'a simple command seen before',
    usMax: 20,
    about: 'command',
    text: 'seen',
    line: (last) => `cmd${last} --flag value`,
  },
  {
    what: 'a compound command, with its parse',
    usMax: 100,
    about: 'command',
    text: 'fresh',
    line: (last, serial) => `cmd${last} a${serial} && cmd0 b | cmd1 c; cmd2 d`,
  },
  {
    what: 'a compound command seen before',
    usMax: 20,
    about: 'command',
    text: 'seen',
    line: (last) => `cmd${last} a && cmd0 b | cmd1 c; cmd2 d`,
  },
];

/** Half of the rules are about commands, half about other tools. @param {number} rules */
export const lastOf = (rules) => rules / 2 - 1;

/**
 * A policy file, each rule weaker than the one before: what is checked meets the last of its kind.
 * @param {number} rules
 */
export function policyText(rules) {
  const pairs = Array.from({ length: rules / 2 }, (_, index) => {
    const priority = 900 - index;
    return [
      `[[rule]]\ntoolName = "run_shell_command"\ncommandPrefix = "cmd${index}"\ndecision = "allow"\npriority = ${priority}\n`,
      `[[rule]]\ntoolName = "tool_${index}"\ndecision = "allow"\npriority = ${priority}\n`,
    ];
  });
  return pairs.flat().join('\n');
}
