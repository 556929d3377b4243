// Runs the program once on real work, then keeps what V8 compiled meanwhile: functions that a start and the first
// calls need are then in the caches, not only the outermost ones. Caches that were made before are built on.
//   node scripts/bundle/make-code-cache.mjs gemini | openai | anthropic [in-terminal]
import { mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { loadProgram } from '../../packages/cli/bin/program.js';
import { WIRES } from './warm-up-wires.mjs';

const WARM_UP_MS_MAX = 20_000; // a warm-up that hangs must not hang the build

const wire = WIRES[process.argv[2] ?? ''];
if (!wire) throw new Error(`There is no wire called ${process.argv[2]}`);
// What was compiled stays compiled, however long the warm-up takes.
setFlagsFromString('--no-flush-bytecode');
const program = loadProgram();
if (!program) throw new Error('There is no bundle to make a cache for');

const scratch = mkdtempSync(join(tmpdir(), 'countersign-warm-up-'));
const calls = JSON.parse(readFileSync(new URL('warm-up.json', import.meta.url), 'utf8'));
let asked = 0;
const model = createServer((request, response) => {
  request.resume().on('end', () => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.end(
      wire
        .answer(calls[asked++])
        .map((event) => `data: ${JSON.stringify(event)}\n\n`)
        .join(''),
    );
  });
});
await new Promise((resolve) => model.listen(0, '127.0.0.1', () => resolve(null)));
// The program is done when nothing keeps it any more: this must not.
model.unref();
model.on('connection', (socket) => socket.unref());

process.on('exit', () => {
  rmSync(scratch, { recursive: true, force: true });
  // V8 refuses caches that were made under other flags.
  setFlagsFromString('--flush-bytecode');
  for (const { file, cache } of program.makeCaches()) {
    writeFileSync(`${file}.new`, cache);
    renameSync(`${file}.new`, file);
  }
  // Whatever the result of the warm-up: compiled code is compiled code.
  process.exitCode = 0;
});
setTimeout(() => process.exit(), WARM_UP_MS_MAX).unref();

// A build does not touch the store, the settings and the keys of its user.
const { PATH } = process.env;
for (const name of Object.keys(process.env)) delete process.env[name];
const { port } = /** @type {import('node:net').AddressInfo} */ (model.address());
Object.assign(process.env, { PATH, HOME: scratch, ...wire.environment(`http://127.0.0.1:${port}`) });
process.chdir(scratch);
writeFileSync('a.txt', 'one line\nanother line\n');
const prompt = process.argv[3] === 'in-terminal' ? [] : ['-p', 'Warm up.'];
process.argv.splice(1, Infinity, 'countersign', ...prompt, '--yolo', '-m', 'warm-up');
program.run();
