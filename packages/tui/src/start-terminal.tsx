import { render } from 'ink';
import { App } from './app.js';
import { Keyboard } from './input/keyboard.js';
import type { Ending, TerminalPorts } from './ports.js';
import { Blocks } from './screen/blocks.js';
import { calmOutput } from './screen/calm-output.js';
import { type Printed, Scrollback } from './screen/scrollback.js';
import { TerminalModes } from './screen/terminal-modes.js';
import { loadGrammars } from './text/highlight.js';
import { PALETTES, type PaletteName, paletteFor } from './text/palette.js';
import { textRows } from './text/plain-rows.js';

export type TerminalOptions = {
  readonly stdin: NodeJS.ReadStream;
  readonly stdout: NodeJS.WriteStream;
  readonly env: NodeJS.ProcessEnv;
  readonly ports: TerminalPorts;
  /** The lines above everything, written by the program. */
  readonly greeting: readonly string[];
};

/** Keys are drawn at once; live output arrives eight times a second anyway. */
const FRAMES_MAX = 30;

/** Loaded after the first frame: no code is on the screen before that. */
const GRAMMARS_AFTER_MS = 100;

export type RunningTerminal = {
  readonly ended: Promise<Ending>;
  /** Exit now, e.g. on a signal; the terminal is restored. */
  readonly close: () => void;
};

/** The screen, from the first row to its end. Whatever happens, the terminal is left as it was found. */
export function startTerminal({ stdin, stdout, env, ports, greeting }: TerminalOptions): RunningTerminal {
  const known = paletteFor(env);
  const keyboard = new Keyboard((background) => {
    if (known === null) instance.rerender(app(background));
  });
  const blocks = new Blocks();
  const modes = new TerminalModes(stdin, stdout);
  const onData = (sent: string | Buffer) => keyboard.feed(sent.toString());
  const listen = () => {
    modes.enter();
    stdin.setEncoding('utf8').on('data', onData).resume();
  };
  const leave = () => {
    stdin.off('data', onData).pause();
    keyboard.stop();
    modes.leave();
  };
  const hold = {
    release: () => {
      leave();
      stdout.write('Modify in progress: Save and close external editor to continue\n');
    },
    take: listen,
  };
  const notify = () => modes.notify('Countersign', 'Your answer is needed.');
  let end: (ending: Ending) => void = () => {};
  const ending = new Promise<Ending>((resolve) => {
    end = resolve;
  });
  listen();
  // The terminal was closed.
  stdin.once('end', () => end({ type: 'quit' }));
  process.on('exit', leave);
  const scrollback = new Scrollback(greeting.map(greeted));
  const app = (palette: PaletteName) => (
    <App
      ports={ports}
      stdout={stdout}
      keyboard={keyboard}
      palette={PALETTES[palette]}
      blocks={blocks}
      scrollback={scrollback}
      hold={hold}
      onNotify={notify}
      onEnd={end}
    />
  );
  const instance = render(app(known ?? 'dark'), {
    stdin,
    stdout: calmOutput(stdout, blocks),
    exitOnCtrlC: false,
    // Ink would print the signs that represent blocks of rows. Screen readers have the plain line mode.
    isScreenReaderEnabled: false,
    patchConsole: false,
    maxFps: FRAMES_MAX,
  });
  if (known === null) modes.askForBackground(env['TERM']);
  const later = setTimeout(() => void loadGrammars(), GRAMMARS_AFTER_MS);
  let isClosed = false;
  const close = () => {
    if (isClosed) return;
    isClosed = true;
    clearTimeout(later);
    // The printed rows stay; the prompt is removed.
    instance.clear();
    instance.unmount();
    leave();
    process.off('exit', leave);
  };
  // An error while drawing must not leave the terminal in raw mode.
  const broken = instance.waitUntilExit().then(() => ({ type: 'quit' }) as const);
  return { ended: Promise.race([ending, broken]).finally(close), close };
}

const greeted = (line: string, index: number): Printed => ({
  key: `greeting ${index}`,
  rows: (columns) => textRows(line, columns, '', 'dim'),
});
