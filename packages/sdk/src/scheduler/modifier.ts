import type { AwaitingCall, Command } from '@countersign/protocol';
import { type EditedArguments, editCall } from '@countersign/tools';
import { modifyWithEditor } from '../editor/modify-with-editor.js';
import { isModifiableTool } from '../tools/modifiable-tool.js';
import { type AnyTool, isEngineTool } from '../types/any-tool.js';
import type { EditorType } from '../types/enums.js';
import type { AnswerResult } from '../types/tool-types.js';

export type ModifierOptions = {
  readonly getPreferredEditor: () => EditorType | undefined;
  readonly toolOf: (name: string) => AnyTool | undefined;
  readonly send: (command: Command) => Promise<AnswerResult>;
  /** A call looks different now, though no fact is new. */
  readonly changed: (callId: string) => void;
};

/**
 * Lets a person change a waiting call in an editor. While it is open the call
 * shows `isModifying`; afterwards the new question is asked. A failing, killed
 * or unchanged editor leaves the question as it was.
 */
export class Modifier {
  readonly #options: ModifierOptions;
  readonly #open = new Set<string>();
  readonly #notices = new Map<string, string>();
  readonly #closing = new AbortController();

  constructor(options: ModifierOptions) {
    this.#options = options;
  }

  isModifying(callId: string): boolean {
    return this.#open.has(callId);
  }

  noticeOf(callId: string): string | undefined {
    return this.#notices.get(callId);
  }

  close(): void {
    this.#closing.abort();
  }

  async modify(call: AwaitingCall): Promise<AnswerResult> {
    const { callId } = call.request;
    if (this.#open.has(callId)) return this.#stays(callId, 'an editor is already open for it');
    const editor = this.#options.getPreferredEditor();
    if (editor === undefined) return this.#stays(callId, 'no editor is configured');
    this.#notices.delete(callId);
    this.#open.add(callId);
    this.#options.changed(callId);
    const edited = await this.#edit(call, editor);
    this.#open.delete(callId);
    if (!edited.ok) return this.#stays(callId, edited.problem);
    if (!edited.changed) return this.#stays(callId, 'nothing was changed');
    const { digest } = call.question;
    return this.#options.send({ type: 'modify', callId, digest, args: edited.args, by: 'user' });
  }

  async #edit(call: AwaitingCall, editor: EditorType): Promise<EditedArguments> {
    const { name, args } = call.request;
    const { signal } = this.#closing;
    const tool = this.#options.toolOf(name);
    try {
      if (tool && !isEngineTool(tool) && isModifiableTool(tool)) {
        const { updatedParams } = await modifyWithEditor(args, tool.getModifyContext(signal), editor, signal);
        return { ok: true, args: { ...updatedParams }, changed: updatedParams !== args };
      }
      return await editCall(call, tool && 'withContent' in tool ? tool : undefined, { editor, signal });
    } catch (thrown) {
      return { ok: false, problem: thrown instanceof Error ? thrown.message : String(thrown) };
    }
  }

  #stays(callId: string, problem: string): AnswerResult {
    const notice = `The question is unchanged: ${problem}.`;
    this.#notices.set(callId, notice);
    this.#options.changed(callId);
    return { ok: false, type: 'invalid_answer', reason: notice };
  }
}
