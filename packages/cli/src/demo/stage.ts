import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DRAFT, LINE_BEFORE, POEM } from './scenes.js';

/** Where the model works, and what counts there. */
export type Stage = {
  readonly workspace: string;
  /** Rules beside those that ship with the program. */
  readonly rules: string;
  /** In place of a person's own: what they have set up for themselves plays no part. */
  readonly home: string;
};

const RULES = `[[rule]]
name = "nothing is deleted"
toolName = "run_shell_command"
commandPrefix = "rm"
decision = "deny"
priority = 100
denyMessage = "Nothing is deleted here. Leave that to the person."
`;

/** Puts there what the scenes are about. */
export async function setStage(scratch: string): Promise<Stage> {
  const workspace = join(scratch, 'work');
  const rules = join(scratch, 'rules.toml');
  await mkdir(join(workspace, 'drafts'), { recursive: true });
  await writeFile(join(workspace, POEM), `Trust is a fine thing.\n${LINE_BEFORE}\n`);
  await writeFile(join(workspace, DRAFT), 'Trust me.\n');
  await writeFile(rules, RULES);
  return { workspace, rules, home: join(scratch, 'home') };
}
