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
  /** What stands above everything: words of ours. */
  readonly greeting: readonly string[];
};

/** Keys are answered at once; what flows comes eight times a second by itself. */
const FRAMES_MAX = 30;

/** Until then a person has not even read where to type, and nothing has been answered that could be coloured. */
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
  const hear = (sent: string | Buffer) => keyboard.feed(sent.toString());
  const listen = () => {
    modes.enter();
    stdin.setEncoding('utf8').on('data', hear).resume();
  };
  const leave = () => {
    stdin.off('data', hear).pause();
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
  // The terminal is gone.
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
    // It would draw what is laid out, which stands for other rows here. Plain lines are for screen readers.
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
    // What was printed stays; where one could type is no longer there.
    instance.clear();
    instance.unmount();
    leave();
    process.off('exit', leave);
  };
  // What breaks while it is drawn must not leave a terminal that nobody can type in.
  const broken = instance.waitUntilExit().then(() => ({ type: 'quit' }) as const);
  return { ended: Promise.race([ending, broken]).finally(close), close };
}

const greeted = (line: string, index: number): Printed => ({
  key: `greeting ${index}`,
  rows: (columns) => textRows(line, columns, '', 'dim'),
});
