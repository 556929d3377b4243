import { useAgentStream, useSession } from '@countersign/react';
import { Box, Static } from 'ink';
import { type ReactNode, useCallback, useEffect, useRef, useState } from 'react';
import { wholeCardRows } from './cards/card-rows.js';
import { carryOut } from './carry-out.js';
import { ApprovalDialog } from './dialogs/approval-dialog.js';
import { AskUserDialog } from './dialogs/ask-user-dialog.js';
import type { Keyboard } from './input/keyboard.js';
import type { Key } from './input/keys.js';
import type { Ending, TerminalPorts } from './ports.js';
import type { Blocks } from './screen/blocks.js';
import { liveRows } from './screen/live-rows.js';
import { type Page, Pager } from './screen/pager.js';
import { Rows } from './screen/rows.js';
import { ScreenContext, useKeys } from './screen/screen-context.js';
import type { Printed, Scrollback } from './screen/scrollback.js';
import { agendaRows, statusRow, workRows } from './screen/status-rows.js';
import { useClock } from './screen/use-clock.js';
import { type Size, useSize } from './screen/use-size.js';
import { changeMode, commandsOf, modeAfter } from './terminal-commands.js';
import type { Palette } from './text/palette.js';
import { row } from './text/styled.js';
import { type TerminalHold, useHandOver } from './use-hand-over.js';
import { usePrompt } from './use-prompt.js';
import { type Questions, useQuestions } from './use-questions.js';

export type AppProps = {
  readonly ports: TerminalPorts;
  readonly stdout: NodeJS.WriteStream;
  readonly keyboard: Keyboard;
  readonly palette: Palette;
  readonly blocks: Blocks;
  readonly scrollback: Scrollback;
  readonly hold: TerminalHold;
  /** A question waits, and the user is away. */
  readonly onNotify: () => void;
  readonly onEnd: (ending: Ending) => void;
};

/** Between the first Esc or Ctrl-C and the one that means more. */
const TWICE_MS = 1_500;
const PROMPT_ROWS_MAX = 12;
/** What a question leaves on a screen of the usual height goes to it; on higher ones half is for what happens. */
const USUAL_ROWS = 24;
const PAGES_MAX = 50;

export function App(props: AppProps): ReactNode {
  const { stdout, keyboard, palette, blocks } = props;
  const size = useSize(stdout);
  return (
    <ScreenContext.Provider value={{ keyboard, palette, blocks, ...size }}>
      <Session {...props} size={size} />
    </ScreenContext.Provider>
  );
}

function Session({
  ports,
  keyboard,
  scrollback,
  hold,
  onNotify,
  onEnd,
  size,
}: AppProps & { readonly size: Size }): ReactNode {
  const { columns, rows } = size;
  const view = useSession(ports.store);
  const stream = useAgentStream(ports.stream);
  const { isAway, onTerminal } = useHandOver(hold);
  const questions = useQuestions(ports, view.waiting, onTerminal);
  const [pages, setPages] = useState<readonly Page[] | null>(null);
  const { hint, isSecond } = useTwice();
  const isBusy = stream.since !== null || view.open.length > 0;
  const now = useClock(isBusy && !isAway);
  const submit = useCallback(
    (text: string, typed: string) =>
      void carryOut(text, typed, { ports, onEnd, lookElsewhere: questions.lookElsewhere }),
    [ports, onEnd, questions.lookElsewhere],
  );
  const isCovered = questions.current !== null || pages !== null;
  const prompt = usePrompt({
    history: ports.history,
    listFiles: ports.listFiles,
    commands: () => commandsOf(ports),
    onSubmit: submit,
    isCovered,
  });
  useNotification(questions, keyboard, onNotify);
  useKeys(pressed, 'app');

  const printed = isAway ? null : scrollback.upTo(view, stream.asides);
  const latest = useRef<Printed[]>([]);
  if (printed) latest.current = printed;
  return (
    <>
      <Static items={latest.current}>
        {({ key, rows: drawn }) => <Rows key={key} rows={drawn(columns)} kind="printed" />}
      </Static>
      {isAway ? null : <Box flexDirection="column">{below()}</Box>}
    </>
  );

  /** One row stays free: a screen that is full would be drawn again as a whole. */
  function below(): ReactNode {
    const room = Math.max(4, rows - 2);
    const { mode } = view;
    const { place, model, spending } = ports;
    const status = { mode, model: model(), ...spending(), place, waiting: questions.count, hint };
    const foot = <Rows rows={[statusRow(status, columns)]} />;
    if (pages)
      return (
        <>
          <Pager pages={pages} rowsMax={room} onClose={() => setPages(null)} />
          {foot}
        </>
      );
    if (questions.current) {
      const rowsMax = room - Math.max(0, Math.floor((room - USUAL_ROWS) / 2));
      return (
        <>
          <Rows rows={liveRows(view, stream, { columns, rowsMax: room - rowsMax, now })} />
          {dialog(questions.current, rowsMax)}
          {foot}
        </>
      );
    }
    const typed = prompt.rows(columns, Math.min(PROMPT_ROWS_MAX, Math.floor(room / 2)));
    const agenda = agendaRows(view.agenda, columns, rows > 2 * USUAL_ROWS - 10 ? 8 : 1);
    const working = workRows(stream, now, columns);
    const left = room - typed.length - agenda.length - working.length - 1;
    const live = liveRows(view, stream, { columns, rowsMax: left, now });
    return (
      <>
        <Rows rows={[...live, ...working, ...agenda, row('─'.repeat(columns), 'dim'), ...typed]} />
        {foot}
      </>
    );
  }

  function dialog({ pending, place }: NonNullable<Questions['current']>, rowsMax: number): ReactNode {
    const { actions } = questions;
    const { confirmation } = pending.question;
    const common = { pending, place, rowsMax, actions };
    return confirmation.type === 'ask_user' ? (
      <AskUserDialog key={pending.key} {...common} questions={confirmation.questions} />
    ) : (
      <ApprovalDialog key={pending.key} {...common} />
    );
  }

  function pressed(key: Key): boolean {
    if (key.name === 'tab' && key.shift) void changeMode(modeAfter(view.mode), ports);
    else if (key.name === 'escape') escaped();
    else if (key.ctrl && key.text === 'c') interrupted();
    else if (key.ctrl && key.text === 'd' && prompt.isEmpty) onEnd({ type: 'quit' });
    else if (key.ctrl && key.text === 'o') setPages(callPages());
    else return false;
    return true;
  }

  function escaped(): void {
    if (stopWork()) return;
    if (!prompt.isEmpty && isSecond('esc again clears the prompt')) prompt.clear();
  }

  function interrupted(): void {
    if (stopWork()) return;
    if (!prompt.isEmpty) prompt.clear();
    else if (isSecond('ctrl-c again exits')) onEnd({ type: 'quit' });
  }

  function stopWork(): boolean {
    const wasWorking = stream.cancelOngoingRequest();
    const isOpen = view.open.length > 0;
    if (isOpen) void ports.store.client.send({ type: 'cancel', target: { type: 'all' }, by: ports.by });
    return wasWorking || isOpen;
  }

  function callPages(): readonly Page[] | null {
    const { settled, open, live } = ports.store.view();
    const calls = [...settled, ...open].filter((item) => item.kind === 'call');
    const shown = calls.slice(-PAGES_MAX);
    if (shown.length === 0) return null;
    return shown.map((item) => ({
      key: item.id,
      rows: (width) => wholeCardRows(item, live.get(item.call.request.callId), width),
    }));
  }
}

/** A key that does more the second time, and the hint to show until then. */
function useTwice() {
  const [hint, setHint] = useState<string | null>(null);
  const since = useRef({ hint: '', at: -Infinity });
  useEffect(() => {
    if (hint === null) return;
    const timer = setTimeout(() => setHint(null), TWICE_MS);
    return () => clearTimeout(timer);
  }, [hint]);
  const isSecond = (what: string): boolean => {
    const at = performance.now();
    const second = since.current.hint === what && at - since.current.at < TWICE_MS;
    since.current = { hint: what, at: second ? -Infinity : at };
    setHint(second ? null : what);
    return second;
  };
  return { hint, isSecond };
}

function useNotification({ count }: Questions, keyboard: Keyboard, onNotify: () => void): void {
  const before = useRef(0);
  useEffect(() => {
    if (count > before.current && keyboard.isAway) onNotify();
    before.current = count;
  }, [count, keyboard, onNotify]);
}
