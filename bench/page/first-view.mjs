import { findChromium, launchChromium } from '../../scripts/browser/chromium.mjs';
import { setStage } from '../../scripts/pictures/page-stage.mjs';

/**
 * @import { BrowserContext } from 'playwright-core'
 * @import { Effort } from '../compare.mjs'
 * @import { Row } from '../report.mjs'
 */

const BYTES_MAX = 300 * 1024;
const USABLE_MS_MAX = 1_000;
/** Each takes about a second. */
const ROUNDS_MAX = 5;
/** A page that does not come must not hang the benchmark. */
const WAIT_MS = 30_000;

export const name = 'page';
export const title = 'The first view of the page in Chromium, with nothing in its cache';

/** @param {Effort} effort @returns {Promise<Row[]>} */
export async function run({ rounds }) {
  const found = await findChromium();
  const stage = await setStage();
  const browser = await launchChromium(found);
  try {
    const context = await browser.newContext();
    context.setDefaultTimeout(WAIT_MS);
    const first = await context.newPage();
    const link = await stage.link();
    await first.goto(link);
    await first.getByRole('button', { name: 'New session' }).waitFor();
    await first.close();
    const views = [];
    while (views.length < Math.min(rounds, ROUNDS_MAX)) views.push(await look(context, new URL(link).origin));
    const times = views.map(({ usableMs }) => usableMs).sort((a, b) => a - b);
    return [
      {
        what: 'fetched until it can be used, as it came over the wire',
        measured: Math.max(...views.map(({ bytes }) => bytes)),
        unit: 'B',
        target: { atMost: BYTES_MAX },
      },
      {
        what: 'until it shows the sessions, and a new one can be begun',
        measured: times[Math.floor(times.length / 2)] ?? Number.NaN,
        best: times[0] ?? Number.NaN,
        unit: 'ms',
        target: { atMost: USABLE_MS_MAX },
      },
    ];
  } finally {
    await browser.close();
    await stage.close();
  }
}

/** Notes when the page can be used, by its own clock, which began with the navigation. */
const WATCH = `window.usable = new Promise((resolve) => {
  new MutationObserver((_, watching) => {
    const isUsable = document.querySelector('.new-session [type=submit]:enabled') && document.querySelector('.sessions li');
    if (!isUsable) return;
    watching.disconnect();
    requestAnimationFrame(() => resolve(performance.now()));
  }).observe(document, { childList: true, subtree: true });
});`;

/** @param {BrowserContext} context @param {string} address */
async function look(context, address) {
  const page = await context.newPage();
  const wire = await context.newCDPSession(page);
  await wire.send('Network.enable');
  await wire.send('Network.clearBrowserCache');
  let bytes = 0;
  wire.on('Network.loadingFinished', ({ encodedDataLength }) => {
    bytes += encodedDataLength;
  });
  await page.addInitScript(WATCH);
  await page.goto(address);
  const usableMs = Number(await page.evaluate('window.usable'));
  await page.close();
  return { bytes, usableMs };
}
