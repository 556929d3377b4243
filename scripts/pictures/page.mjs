// Takes the pictures of the page that README and documents show, from a real run: node scripts/pictures/page.mjs
import { join } from 'node:path';
import { findChromium, launchChromium } from '../browser/chromium.mjs';
import { root } from '../source/files.mjs';
import { setStage } from './page-stage.mjs';

/** @import { BrowserContextOptions, Page } from 'playwright-core' */

const DESK = { width: 1200, height: 760 };
const PHONE = { width: 360, height: 740 };

const stage = await setStage();
const browser = await launchChromium(await findChromium());
try {
  /** @type {{ approvals: readonly { sessionId: string, callId: string, tool: string }[] }} */
  const { approvals } = await stage.api('/approvals');
  const question = (/** @type {string} */ tool) => {
    const found = approvals.find((each) => each.tool === tool);
    return `#/inbox/${found?.sessionId}/${found?.callId}`;
  };

  await take('session', { viewport: DESK }, `#/sessions/${stage.sessionId}`, async (page) => {
    await page.getByRole('article', { name: 'write_file: waits for you' }).waitFor();
    await page.evaluate('window.scrollTo(0, 0)');
  });
  await take('inbox', { viewport: DESK }, question('write_file'), async (page) => {
    await page.getByRole('button', { name: 'Side by side' }).click();
    await page.getByRole('heading', { name: 'Write server.ts' }).hover();
  });
  await take('command', { viewport: DESK }, question('run_shell_command'), async (page) => {
    await page.getByRole('button', { name: 'Why is this asked?' }).click();
    await page.getByText('The model requested run_shell_command').waitFor();
  });
  await take('edit-dark', { viewport: DESK, colorScheme: 'dark' }, question('write_file'), async (page) => {
    await page.getByRole('button', { name: 'Edit, then allow' }).click();
    const editor = page.getByRole('textbox', { name: /New content of/ });
    await editor.getByText("const ADDRESS = '127.0.0.1';").click();
    await page.keyboard.press('End');
    await page.keyboard.press('Enter');
    await page.keyboard.type('const PORT = 8080; // as in the notes');
  });
  await take('phone', { viewport: PHONE, hasTouch: true }, question('run_shell_command'), async (page) => {
    await page.getByRole('button', { name: 'Allow once' }).waitFor();
  });
  await take('figures-dark', { viewport: DESK, colorScheme: 'dark' }, '#/figures', async (page) => {
    await page.getByRole('heading', { name: 'Calls over time' }).waitFor();
  });
} finally {
  await browser.close();
  await stage.close();
}

/**
 * @param {string} name
 * @param {BrowserContextOptions} options
 * @param {string} hash which view
 * @param {(page: Page) => Promise<void>} pose
 */
async function take(name, options, hash, pose) {
  const context = await browser.newContext(options);
  const page = await context.newPage();
  await page.goto(await stage.link());
  await page.getByRole('heading', { name: 'Sessions' }).waitFor();
  await page.evaluate(`location.hash = ${JSON.stringify(hash)}`);
  await pose(page);
  await page.screenshot({ path: join(root, 'docs/pictures', `${name}.png`) });
  await context.close();
}
