import type { SettledCall } from '@countersign/protocol';
import { type ResultLine, resultLine } from './result-line.js';

type TurnLines = { readonly settled: Map<number, SettledCall>; next: number; over: boolean };

/** Prints results in request order, each as soon as possible, and tracks which are still missing. */
export class ResultPrinter {
  readonly #print: (line: ResultLine) => void;
  readonly #turns = new Map<number, TurnLines>();
  /** Turns whose results are still to be printed, and lines to print between them. */
  readonly #owed: (number | ResultLine)[] = [];

  constructor(print: (line: ResultLine) => void) {
    this.#print = print;
  }

  expect(turn: number): void {
    this.#owed.push(turn);
    this.#printMore();
  }

  /** Prints a line of our own after the results of all earlier requests. */
  add(line: ResultLine): void {
    this.#owed.push(line);
    this.#printMore();
  }

  settled(call: SettledCall): void {
    this.#linesOf(call.request.turn).settled.set(call.request.index, call);
    this.#printMore();
  }

  turnEnded(turn: number): void {
    this.#linesOf(turn).over = true;
    this.#printMore();
  }

  isSettled(turn: number, index: number): boolean {
    return this.#turns.get(turn)?.settled.has(index) ?? false;
  }

  /** Drops a turn whose results are no longer needed. */
  forget(turn: number): void {
    const place = this.#owed.indexOf(turn);
    if (place >= 0) this.#owed.splice(place, 1);
    this.#turns.delete(turn);
    this.#printMore();
  }

  /** For when no call is being sent: a turn that is not expected then belongs to another client or an earlier run. */
  forgetOthers(): void {
    for (const turn of this.#turns.keys()) if (!this.#owed.includes(turn)) this.#turns.delete(turn);
  }

  /** Prints the results that wait for those of earlier calls, still in request order. For the end of the program: nothing waits any more. */
  printHeldBack(): void {
    for (const owed of this.#owed) {
      if (typeof owed !== 'number') this.#print(owed);
      else
        for (const [, call] of [...this.#linesOf(owed).settled].toSorted(([a], [b]) => a - b))
          if (!call.request.within) this.#print(resultLine(call));
      if (typeof owed === 'number') this.#linesOf(owed).settled.clear();
    }
  }

  isDone(): boolean {
    return this.#owed.length === 0;
  }

  #printMore(): void {
    for (let first = this.#owed[0]; first !== undefined; first = this.#owed[0]) {
      if (typeof first !== 'number') this.#print(first);
      else if (!this.#printTurn(first)) return;
      this.#owed.shift();
    }
  }

  /** Whether all of it has been printed. */
  #printTurn(turn: number): boolean {
    const lines = this.#linesOf(turn);
    for (let call = lines.settled.get(lines.next); call; call = lines.settled.get(lines.next)) {
      lines.settled.delete(lines.next++);
      // The call that requested it has its result; no caller of this program sent it.
      if (!call.request.within) this.#print(resultLine(call));
    }
    if (lines.over) this.#turns.delete(turn);
    return lines.over;
  }

  #linesOf(turn: number): TurnLines {
    const known = this.#turns.get(turn);
    if (known) return known;
    const lines: TurnLines = { settled: new Map(), next: 0, over: false };
    this.#turns.set(turn, lines);
    return lines;
  }
}
