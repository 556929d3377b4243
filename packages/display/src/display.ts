import { isRunnable, jsonText } from '@countersign/kernel';
import type { AskedQuestion, Confirmation, Reach } from '@countersign/protocol';
import { foldBlanks } from './fold-blanks.js';
import { type Line, lineOf, visibleLines } from './visible-text.js';
import { Warnings } from './warnings.js';

/** Something that belongs to a question, from outside and therefore quoted: each of its rows gets a gutter. */
export type Block = {
  /** What it is, in our words; null for the very thing that is asked about. */
  readonly label: string | null;
  readonly as: 'text' | 'diff';
  readonly lines: readonly Line[];
};

/** A question as every front end draws it. Nothing in it acts on a terminal or a page. */
export type Display = {
  readonly title: Line;
  readonly blocks: readonly Block[];
  readonly warnings: readonly string[];
  /** What is being decided, in our words. */
  readonly asks: string;
  /** False if it could not be done as it is shown: then no front end offers to agree. */
  readonly canApprove: boolean;
};

export function displayOf(title: string, confirmation: Confirmation): Display {
  const warnings = new Warnings();
  const blocks = new Blocks(warnings).of(confirmation);
  const [shownTitle = []] = foldBlanks([lineOf(title, 'one line', warnings.foundAgain)]);
  const canApprove = isRunnable(confirmation);
  return {
    title: shownTitle,
    blocks,
    warnings: canApprove ? warnings.sentences : [CAN_NOT_RUN, ...warnings.sentences],
    asks: KINDS[confirmation.type].asks,
    canApprove,
  };
}

const CAN_NOT_RUN = 'it contains a NUL or half a character and cannot run as shown, so it cannot be approved';

/** What front ends say about each kind of question, in our words. */
export const KINDS: {
  readonly [type in Confirmation['type']]: {
    /** What is being decided. */
    readonly asks: string;
    /** What it is about. */
    readonly subject: string;
    /** What a person changes of it. */
    readonly edits: Editable;
  };
} = {
  edit: { asks: 'Apply this change?', subject: 'The change', edits: 'the content' },
  exec: { asks: 'Allow execution?', subject: 'The command', edits: 'the command' },
  mcp: { asks: 'Allow this MCP tool?', subject: 'The arguments', edits: 'the arguments' },
  info: { asks: 'Do you want to proceed?', subject: 'What it would do', edits: 'the arguments' },
  ask_user: { asks: 'Do you want to answer?', subject: 'The questions', edits: 'the questions' },
  exit_plan_mode: { asks: 'Do you agree with this plan?', subject: 'The plan', edits: 'the plan' },
};

export type Editable = 'the content' | 'the command' | 'the arguments' | 'the questions' | 'the plan';

/** To continue after "it may". */
function reachText(reach: Reach): string {
  if (reach.type === 'everything') return 'run with all your permissions, outside the sandbox';
  const opened = reach.needs.map((need) => {
    switch (need.needs) {
      case 'read':
      case 'write':
        return `${need.needs} ${need.path}${need.scope === 'tree' ? ' and its contents' : ''}`;
      case 'network':
        return need.host === null ? 'use the network' : `use the network, for example ${need.host}`;
    }
  });
  const network = reach.needs.some(({ needs }) => needs === 'network') ? [] : ['not use the network'];
  return ['change the workspace', ...opened, ...network].join('; ');
}

class Blocks {
  readonly #warnings: Warnings;

  constructor(warnings: Warnings) {
    this.#warnings = warnings;
  }

  of(confirmation: Confirmation): readonly Block[] {
    switch (confirmation.type) {
      case 'edit': {
        const { added, removed } = confirmation.diffStat;
        const { notes = [] } = confirmation;
        return [
          this.#lines('File', [confirmation.filePath]),
          { ...this.#text(null, confirmation.fileDiff.replace(/\n$/, '')), as: 'diff' },
          this.#text('Changes', `${linesText(added)} added, ${linesText(removed)} removed`),
          ...(notes.length === 0 ? [] : [this.#text('Note', notes.join('\n'))]),
        ];
      }
      case 'exec':
        return [
          this.#text(null, confirmation.command),
          this.#lines('Directory', [confirmation.directory]),
          this.#text('Risk', [confirmation.riskLevel, ...confirmation.riskReasons].join('; ')),
          ...(confirmation.reach ? [this.#text('Permissions', reachText(confirmation.reach))] : []),
        ];
      case 'mcp':
        return [
          this.#name('Server', confirmation.serverName),
          this.#name('Tool', confirmation.toolName),
          ...(confirmation.toolDescription === ''
            ? []
            : [this.#text('Description', confirmation.toolDescription)]),
          this.#text(null, jsonText(confirmation.toolArgs)),
        ];
      case 'info':
        return [
          this.#text(null, confirmation.prompt),
          ...(confirmation.urls.length === 0 ? [] : [this.#lines('Address', confirmation.urls)]),
        ];
      case 'ask_user':
        return [this.#text(null, confirmation.questions.map(askedText).join('\n'))];
      case 'exit_plan_mode':
        return [this.#lines('File', [confirmation.planPath]), this.#text(null, confirmation.plan)];
    }
  }

  #text(label: string | null, text: string): Block {
    return { label, as: 'text', lines: foldBlanks(visibleLines(text, this.#warnings.found)) };
  }

  /** Each on a line of its own, whatever is in it. */
  #lines(label: string, texts: readonly string[]): Block {
    const lines = texts.map((text) => lineOf(text, 'one line', this.#warnings.found));
    return { label, as: 'text', lines: foldBlanks(lines) };
  }

  #name(label: string, name: string): Block {
    return { label, as: 'text', lines: foldBlanks([lineOf(name, 'name', this.#warnings.found)]) };
  }
}

const linesText = (count: number): string => (count === 1 ? '1 line' : `${count} lines`);

const askedText = ({ question, options = [] }: AskedQuestion): string =>
  [question, ...options.map(({ label, description }) => `- ${label}: ${description}`)].join('\n');
