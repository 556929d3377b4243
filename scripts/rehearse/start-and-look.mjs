// Runs `npm start` as a stranger would, opens the link that it prints, signs in with it, and ends it by Ctrl-C.
//   node scripts/rehearse/start-and-look.mjs
import { spawn } from 'node:child_process';
import { once } from 'node:events';

/** Installing everything on a slow machine included. */
const START_MS_MAX = 600_000;

const child = spawn('npm', ['start', '--', '--port', '0'], {
  detached: true,
  stdio: ['ignore', 'pipe', 'inherit'],
});
const exited = once(child, 'exit');
const tooLong = setTimeout(() => signalGroup('SIGKILL'), START_MS_MAX);
try {
  const link = await printedLink();
  console.log(`It says: ${link.href}`);
  await look(link);
} finally {
  signalGroup('SIGINT');
  await exited;
  clearTimeout(tooLong);
}

/**
 * As a terminal does: to everything that it started.
 * @param {NodeJS.Signals} signal
 */
function signalGroup(signal) {
  if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, signal);
}

async function printedLink() {
  let printed = '';
  for await (const text of child.stdout.setEncoding('utf8')) {
    printed += text;
    const link = printed.match(/http:\S+#pair=\S+/)?.[0];
    if (link) return new URL(link);
  }
  throw new Error(`It ended without a link, having said:\n${printed}`);
}

/** @param {URL} link */
async function look(link) {
  const page = await fetch(new URL('/', link));
  if (page.status !== 200 || !(await page.text()).includes('<script')) throw new Error('There is no page.');
  const signedIn = await fetch(new URL('/api/sign-in', link), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ code: link.hash.slice('#pair='.length) }),
  });
  const cookie = signedIn.headers.get('set-cookie')?.split(';')[0] ?? '';
  const { secret } = JSON.parse(await signedIn.text());
  const me = await fetch(new URL('/api/me', link), { headers: { cookie, 'x-countersign': secret } });
  if (me.status !== 200) throw new Error(`Signed in with ${signedIn.status}, and then: ${await me.text()}`);
  console.log(`Signed in: ${await me.text()}`);
}
