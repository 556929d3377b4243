import type { CommandAnalysis } from '@countersign/protocol';
import { Collector, OUTERMOST } from './collect/collector.js';
import { hiddenCharactersOf, invalidBecause } from './hidden-characters.js';
import { walkCode } from './walk/walk-script.js';

/** A line is looked at by who judges it and by who plans it, one right after the other. */
const LINES_KEPT_MAX = 16;
const kept = new Map<string, CommandAnalysis>();

/** What a command line would run if bash 5 were given it with `-c` (SPEC P4, SEMANTICS 1.2). */
export function analyzeCommand(text: string): CommandAnalysis {
  const known = kept.get(text);
  if (known) return known;
  const analysis = analyze(text);
  for (const oldest of kept.keys()) {
    if (kept.size < LINES_KEPT_MAX) break;
    kept.delete(oldest);
  }
  kept.set(text, analysis);
  return analysis;
}

function analyze(text: string): CommandAnalysis {
  const hiddenCharacters = hiddenCharactersOf(text);
  const invalid = invalidBecause(text);
  const found = new Collector();
  // It cannot be run: only its words matter, which may be denied.
  if (invalid !== null) found.addProblem(invalid);
  else walk(text, found);
  found.finish();
  const { problem, evaluations, units } = found;
  return { text, invalid, problem, hiddenCharacters, evaluations, units };
}

/** The parser reads nested parts when they are visited, so too much nesting can also show here. */
function walk(text: string, found: Collector): void {
  try {
    walkCode(text, found, OUTERMOST);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    found.addProblem('it is nested too deeply');
  }
}
