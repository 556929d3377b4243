import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, afterEach, expect } from 'vitest';
import { findChromium, launchChromium, launchProfile } from '../../scripts/browser/chromium.mjs';
import { root } from '../../scripts/source/files.mjs';

export const PAGE = join(root, 'packages/cli/dist/page');

/** For what starts several programs or windows, on a machine that does other things. */
export const LONG_MS_MAX = 60_000;

let browser: Browser | null = null;
let contexts: BrowserContext[] = [];
let faults: string[] = [];

/** How long anything on the page may take. */
const WAIT_MS = 10_000;

/**
 * Opens a window of its own browser profile at a link. Whatever goes wrong in it makes the test fail: an error of a
 * script, something that the security policy forbids, or a request to another server.
 */
export async function openWindow(link: string, options: BrowserContextOptions = {}): Promise<Page> {
  if (!existsSync(join(PAGE, 'index.html'))) throw new Error('The page is not built: node scripts/ready.mjs');
  browser ??= await launchChromium(await findChromium());
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...options });
  contexts.push(context);
  context.setDefaultTimeout(WAIT_MS);
  const page = await context.newPage();
  const { origin } = new URL(link);
  page.on('pageerror', (error) => faults.push(`${error.name}: ${error.message}\n${error.stack}`));
  page.on('console', (message) => {
    if (/Content Security Policy|Refused to/.test(message.text())) faults.push(message.text());
  });
  page.on('request', (request) => {
    const url = new URL(request.url());
    if (url.origin !== origin && !['data:', 'blob:'].includes(url.protocol)) faults.push(request.url());
  });
  await page.goto(link);
  return page;
}

/**
 * As long as it takes to see what has just appeared: a key that is pressed sooner does not count. By the page's own
 * clock, which a busy machine holds up together with the page.
 */
export const seen = (page: Page): Promise<unknown> =>
  page.evaluate('new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve, 600)))');

/** A browser with a persistent profile. */
export async function openProfile(directory: string): Promise<BrowserContext> {
  const context = await launchProfile(await findChromium(), directory);
  contexts.push(context);
  context.setDefaultTimeout(WAIT_MS);
  return context;
}

afterEach(async () => {
  const found = faults;
  faults = [];
  await Promise.all(contexts.map((context) => context.close()));
  contexts = [];
  expect(found).toEqual([]);
});

afterAll(async () => {
  await browser?.close();
  browser = null;
});
