import type { SettledCall } from '@countersign/protocol';
import { type ResultLine, resultLine } from './result-line.js';

type TurnLines = { next: number; readonly early: Map<number, SettledCall> };

/** Prints results as soon as they can be printed in request order, and knows when nothing is outstanding. */
export class ResultPrinter {
  readonly #print: (line: ResultLine) => void;
  readonly #turns = new Map<number, TurnLines>();
  readonly #expected = new Set<number>();
  readonly #ended = new Set<number>();
  readonly #firstTurn: number;

  /** Turns before `firstTurn` belong to an earlier run, which has told of them. */
  constructor(firstTurn: number, print: (line: ResultLine) => void) {
    this.#firstTurn = firstTurn;
    this.#print = print;
  }

  expect(turn: number): void {
    if (!this.#ended.has(turn)) this.#expected.add(turn);
  }

  settled(call: SettledCall): void {
    const { turn, index } = call.request;
    if (turn < this.#firstTurn) return;
    const lines = this.#turns.get(turn) ?? { next: 0, early: new Map() };
    this.#turns.set(turn, lines);
    lines.early.set(index, call);
    for (let next = lines.early.get(lines.next); next; next = lines.early.get(lines.next)) {
      lines.early.delete(lines.next++);
      this.#print(resultLine(next));
    }
  }

  turnEnded(turn: number): void {
    this.#turns.delete(turn);
    this.#expected.delete(turn);
    this.#ended.add(turn);
  }

  isDone(): boolean {
    return this.#expected.size === 0;
  }
}
