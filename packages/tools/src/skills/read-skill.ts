import { contentHash, decodeText, readFileAt } from '@countersign/host';
import { readProblem } from '../define-tool/read-problem.js';
import { visibleOnly } from '../memory/invisible.js';
import { readFrontMatter } from './front-matter.js';

export const SKILL_FILE = 'SKILL.md';
const SKILL_BYTES_MAX = 200_000; // instructions, not a book: what is longer belongs into files beside them
const DESCRIPTION_CHARS_MAX = 1_024; // every request carries those of all skills
const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;

export type SkillContent = {
  readonly name: string;
  readonly description: string;
  /** What the model receives once the skill is active. */
  readonly body: string;
  /** Of the whole file. */
  readonly hash: string;
};

export type ReadSkill =
  | { readonly ok: true; readonly skill: SkillContent }
  /** `problem` is null if there is no skill at all. */
  | { readonly ok: false; readonly problem: string | null };

/** The skill in a directory of this real path. Its name is that of the directory, unless it says another. */
export async function readSkill(directory: string, directoryName: string): Promise<ReadSkill> {
  const path = `${directory}/${SKILL_FILE}`;
  try {
    const file = await readFileAt(path, path, SKILL_BYTES_MAX);
    return file === null ? bad(null) : skillIn(file.bytes, directoryName);
  } catch (error) {
    return bad(readProblem(error, path));
  }
}

function skillIn(bytes: Uint8Array, directoryName: string): ReadSkill {
  const head = readFrontMatter(visibleOnly(decodeText(bytes)?.text ?? ''));
  if (head === null) return bad('It does not start with a header between two lines of "---".');
  const name = head.fields.get('name') ?? directoryName;
  if (!NAME.test(name))
    return bad(`Its name ${JSON.stringify(name)} is not made of letters, digits, ".", "_" and "-".`);
  const description = oneLine(head.fields.get('description') ?? '');
  if (description === '') return bad('It has no description.');
  return { ok: true, skill: { name, description, body: head.body, hash: contentHash(bytes) } };
}

const bad = (problem: string | null): ReadSkill => ({ ok: false, problem });

function oneLine(text: string): string {
  const line = text.replace(/[\s\p{Cc}]+/gu, ' ').trim();
  return line.length > DESCRIPTION_CHARS_MAX ? `${line.slice(0, DESCRIPTION_CHARS_MAX - 1)}…` : line;
}
