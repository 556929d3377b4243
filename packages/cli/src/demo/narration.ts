import type { AgentEvent, ResponseInfo } from '@countersign/agent';
import { type CallItem, durationText, Transcript } from '@countersign/client';
import { visible } from '@countersign/display';
import { cancelText, explain, type Fact, type Live } from '@countersign/protocol';
import { COLUMNS, oneRow, rowsOf } from '../sessions/plain-rows.js';
import { decidedBy, markOf } from './account.js';
import { SCENES } from './scenes.js';

/** Columns for the mark and the duration beside a title. */
const ROOM_BESIDE = 14;

/** Prints the demonstration: what each scene shows, the text of the model, and the results of its calls. */
export class Narration {
  readonly #print: (text: string) => void;
  readonly #transcript = new Transcript();
  /** The printed length of the output of each running command. */
  readonly #charsPrinted = new Map<string, number>();
  #scene = 0;
  #isInScene = false;

  constructor(print: (text: string) => void) {
    this.#print = print;
  }

  get calls(): readonly CallItem[] {
    return this.#transcript.items.filter((item) => item.kind === 'call');
  }

  onFact({ event, call }: Fact): void {
    this.#transcript.observe(event, call);
  }

  /** A command's output while it runs, in whole lines. */
  onLive({ callId, output }: Live): void {
    if (output !== undefined) this.#printOutput(callId, output.slice(0, output.lastIndexOf('\n') + 1));
  }

  onEvent(event: AgentEvent): void {
    if (event.type === 'content') {
      if (!this.#isInScene) this.#print(`\n${++this.#scene}. ${SCENES[this.#scene - 1]?.shows}`);
      this.#isInScene = true;
      this.#print(`  Model: ${event.value}`);
    } else if (event.type === 'finished') this.#isInScene = false;
    else if (event.type === 'tool_call_response') this.#printEnd(event.value);
  }

  #printEnd({ callId, status, title, durationMs, resultDisplay }: ResponseInfo): void {
    const item = this.calls.find(({ call }) => call.request.callId === callId);
    if (this.#charsPrinted.has(callId) && typeof resultDisplay === 'string')
      this.#printOutput(callId, resultDisplay);
    const took = status === 'success' ? ` (${durationText(durationMs)})` : '';
    this.#print(`  ${markOf(status)} ${oneRow(title, COLUMNS - ROOM_BESIDE, '')}${took}`);
    if (!item || status === 'success') return;
    const { call } = item;
    if (call.status === 'cancelled' && call.reason.type === 'aborted') return;
    if (item.ranMs === null) this.#rows(`Decided by ${decidedBy(item, 'place')}.`);
    if (call.status === 'error') this.#rows(`Sent to the model: ${explain(call.failure).message}`);
    if (call.status === 'cancelled') this.#rows(`Sent to the model: ${cancelText(call.reason)}`);
  }

  #rows(text: string): void {
    this.#print(rowsOf(text, COLUMNS, '    ').join('\n'));
  }

  #printOutput(callId: string, output: string): void {
    const printed = this.#charsPrinted.get(callId) ?? 0;
    const news = output.slice(printed).trimEnd();
    this.#charsPrinted.set(callId, Math.max(printed, output.length));
    if (news !== '') this.#print(visible(news).replace(/^/gm, '    │ '));
  }
}
