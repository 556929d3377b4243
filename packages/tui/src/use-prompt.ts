import { visibleLine } from '@countersign/display';
import { useEffect, useMemo, useRef, useState } from 'react';
import type { SlashCommand } from './commands/slash-commands.js';
import { bufferRows } from './input/buffer-rows.js';
import { type Completing, commandMatches, completed, completing } from './input/completion.js';
import { bestMatches } from './input/fuzzy.js';
import { History, type HistoryPort } from './input/history.js';
import type { Key } from './input/keys.js';
import { Pastes } from './input/pastes.js';
import { bufferOf, EMPTY, edited, insert, movedByLine, type TextBuffer } from './input/text-buffer.js';
import { useKeys } from './screen/screen-context.js';
import { row, type StyledRow } from './text/styled.js';
import { cutRow } from './text/wrap.js';

export type PromptOptions = {
  readonly history: HistoryPort;
  readonly listFiles: () => Promise<readonly string[]>;
  /** Those that there are now. */
  readonly commands: () => readonly SlashCommand[];
  /** `typed`: without what was pasted. */
  readonly onSubmit: (text: string, typed: string) => void;
  /** Whether a question lies over it: then what is typed is kept, and nothing is sent. */
  readonly isCovered: boolean;
};

export type Prompt = {
  readonly isEmpty: boolean;
  readonly clear: () => void;
  readonly rows: (columns: number, rowsMax: number) => readonly StyledRow[];
};

const MATCHES_SHOWN = 6;
/** The list of files is refreshed after this long, so that a new file can be named. */
const FILES_FRESH_MS = 5_000;

type Match = { readonly insert: string; readonly label: string };

/** The prompt: its text, its completions, and its keys. */
export function usePrompt(options: PromptOptions): Prompt {
  const { history: port, listFiles, commands, onSubmit, isCovered } = options;
  const [buffer, setBuffer] = useState<TextBuffer>(EMPTY);
  const [isDismissed, setDismissed] = useState(false);
  const [selected, setSelected] = useState(0);
  const pastes = useRef(new Pastes()).current;
  const history = useMemo(() => new History(port), [port]);
  const wanted = isDismissed ? null : completing(buffer);
  const files = useFileMatches(wanted, listFiles);
  const matches = matchesOf(wanted, files, commands);
  const chosen = matches[Math.min(selected, matches.length - 1)];

  const change = (next: TextBuffer) => {
    setBuffer(next);
    setDismissed(false);
    setSelected(0);
  };
  useKeys((key) => pressed(key), 'prompt');
  return {
    isEmpty: buffer.text === '',
    clear: () => change(EMPTY),
    rows: (columns, rowsMax) => {
      const list = matches.slice(0, MATCHES_SHOWN).slice(0, Math.max(0, rowsMax - 1));
      const typed = bufferRows(buffer, { columns, rowsMax: Math.max(1, rowsMax - list.length), mark: '> ' });
      return [...typed, ...list.map((match) => matchRow(match, match === chosen, columns))];
    },
  };

  function pressed(key: Key): boolean {
    if (key.name === 'paste') return took(insert(buffer, pastes.shorten(key.text)));
    if (key.name === 'enter') return isCovered || entered(key);
    if (key.ctrl && key.text === 'j') return took(insert(buffer, '\n'));
    if (key.name === 'tab' && !key.shift)
      return !chosen || wanted === null || took(completed(buffer, wanted, chosen.insert));
    if (key.name === 'escape' && matches.length > 0) {
      setDismissed(true);
      return true;
    }
    if (key.name === 'up' || key.name === 'down') return moved(key.name === 'up' ? -1 : 1);
    const next = edited(buffer, key);
    return next !== null && took(next);
  }

  function entered(key: Key): boolean {
    if (key.alt || key.shift) return took(insert(buffer, '\n'));
    const { text, cursor } = buffer;
    if (text.slice(0, cursor).endsWith('\\'))
      return took({ text: `${text.slice(0, cursor - 1)}\n${text.slice(cursor)}`, cursor });
    const isHalf = wanted !== null && chosen !== undefined && chosen.insert !== wanted.typed;
    if (isHalf) return took(completed(buffer, wanted, chosen.insert));
    if (text.trim() === '') return true;
    const whole = pastes.expand(text);
    history.add(whole);
    pastes.clear();
    change(EMPTY);
    onSubmit(whole, text);
    return true;
  }

  function moved(by: -1 | 1): boolean {
    if (matches.length > 1) {
      setSelected((selected + by + matches.length) % matches.length);
      return true;
    }
    const line = movedByLine(buffer, by);
    if (line) return took(line);
    const entry = by === -1 ? history.earlier(buffer.text) : history.later();
    if (entry !== null) setBuffer(bufferOf(entry));
    return true;
  }

  function took(next: TextBuffer): true {
    change(next);
    return true;
  }
}

function matchesOf(
  wanted: Completing | null,
  files: readonly string[],
  commands: PromptOptions['commands'],
): readonly Match[] {
  switch (wanted?.what) {
    case undefined:
      return [];
    case 'command':
      return commandMatches(commands(), wanted.typed).map(({ name, args, help }) => ({
        insert: name,
        label: `/${`${name} ${args}`.padEnd(22)} ${help}`,
      }));
    case 'file':
      return files.map((path) => ({ insert: path, label: path }));
  }
}

const matchRow = ({ label }: Match, isChosen: boolean, columns: number): StyledRow =>
  cutRow(row(`${isChosen ? '›' : ' '} ${visibleLine(label)}`, isChosen ? 'accent' : 'dim'), columns);

function useFileMatches(
  wanted: Completing | null,
  listFiles: () => Promise<readonly string[]>,
): readonly string[] {
  const [matches, setMatches] = useState<readonly string[]>([]);
  const listed = useRef<{ readonly at: number; readonly paths: Promise<readonly string[]> } | null>(null);
  const typed = wanted?.what === 'file' ? wanted.typed : null;
  useEffect(() => {
    if (typed === null) return setMatches([]);
    const stop = new AbortController();
    if (listed.current === null || performance.now() - listed.current.at > FILES_FRESH_MS)
      listed.current = { at: performance.now(), paths: listFiles().catch(() => []) };
    void listed.current.paths
      .then((paths) => bestMatches(paths, typed, MATCHES_SHOWN, stop.signal))
      .then((best) => {
        if (!stop.signal.aborted) setMatches(best);
      });
    return () => stop.abort();
  }, [typed, listFiles]);
  return matches;
}
