import { root } from '../source/files.mjs';

const COLUMNS = 80;
const ROWS = 24;
const CTRL_D = '\u0004';

/**
 * Runs a script of Node in a pseudo-terminal, says something once there is a prompt, and leaves after the answer.
 * @param {readonly string[]} args
 * @returns {Promise<number>} its exit code
 */
export async function warmUpTerminal(args) {
  // It is a native module, and not made for every system.
  const pty = await import('@lydell/node-pty').catch(() => null);
  if (pty === null) return 1;
  const terminal = pty.spawn(process.execPath, [...args], {
    cols: COLUMNS,
    rows: ROWS,
    cwd: root,
    name: 'xterm',
  });
  const steps = [
    { after: '(shift-tab)', type: 'Warm up.\r' },
    { after: 'Done.', type: CTRL_D },
  ];
  let sent = '';
  terminal.onData((data) => {
    sent += data;
    const [next] = steps;
    if (!next || !sent.includes(next.after)) return;
    steps.shift();
    terminal.write(next.type);
  });
  return new Promise((resolve) => {
    terminal.onExit(({ exitCode }) => resolve(exitCode));
  });
}
