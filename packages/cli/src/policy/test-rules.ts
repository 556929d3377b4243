import { visibleLine } from '@countersign/display';
import { policyFor, toolsFor } from '../compose/compose.js';
import { originsOf, RULE_OPTIONS } from '../compose/rule-options.js';
import { EXIT, type ExitCode } from '../io/exit-codes.js';
import { type Io, printJson } from '../io/io.js';
import { expectNoMore, readOptions } from '../options/options.js';
import { realWorkspace } from '../options/places.js';

/** `countersign policy test`: checks each rule against its own examples. */
export async function testRules(args: readonly string[], io: Io): Promise<ExitCode> {
  const { values, positionals } = readOptions('policy', args, {
    json: { type: 'boolean' },
    ...RULE_OPTIONS,
  });
  expectNoMore('policy', positionals);
  const write = (text: string) => io.stdout.write(`${visibleLine(text)}\n`);
  let passed = 0;
  let failed = 0;
  const workspace = await realWorkspace(io.cwd);
  const origins = await originsOf({ ...values, verbose: true }, io, workspace);
  const { tools } = await toolsFor(origins, { workspace, store: undefined, env: io.env, toolModules: [] });
  await policyFor(origins, tools, ({ rule, line, says, example, holds }) => {
    if (holds) passed++;
    else failed++;
    const { file } = rule;
    if (values.json) printJson(io, { file, line, rule: rule.name, says, example, holds });
    else if (!holds) {
      const shown = typeof example === 'string' ? example : JSON.stringify(example);
      write(
        `${file}:${line}: ${says === 'matches' ? 'does not match' : 'matches, and should not'}: ${shown}`,
      );
    }
  });
  if (values.json) printJson(io, { type: 'summary', passed, failed });
  else if (passed + failed === 0) write('No rule has examples (matches, notMatches).');
  else write(`${passed} passed, ${failed} failed.`);
  return failed === 0 ? EXIT.ok : EXIT.notAll;
}
