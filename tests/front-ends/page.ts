import type { Outcome } from '@countersign/protocol';
import type { Page } from 'playwright-core';
import type { Place, Running } from '../cli/program.js';
import { call, recorded, text } from '../tui/tui.js';
import { openWindow, PAGE } from '../web/browser.js';
import { type FrontEnd, type Questions, type Shown, type StartFrontEnd, until } from './front-end.js';

/** The page of `countersign serve` in a browser, read and pressed by role: a recorded model wants the calls. */
export const startPage: StartFrontEnd = async ({ place, batches, policy }) => {
  const answers = batches.map((batch) => batch.map(({ name, args }) => call(name, args)));
  const model = ['--fake-responses', recorded(place, ...answers, [text('Done.')])];
  const args = ['serve', '--port', '0', '--page', PAGE, ...model, ...(policy ? ['--policy', policy] : [])];
  const { page, shown } = await openWatched(place.start(args));
  await page.getByRole('button', { name: 'New session' }).click();
  await page.getByText('No messages yet.').waitFor();
  await page.getByLabel('Message', { exact: true }).fill('go');
  await page.keyboard.press('Enter');
  return new OnPage(page, shown, batches.flat().length);
};

/** The same beside another process: its questions are in the inbox. */
export async function startPageBeside(place: Place): Promise<Questions> {
  const { page, shown } = await openWatched(place.start(['serve', '--port', '0', '--page', PAGE]));
  await page.getByRole('link', { name: 'Inbox' }).click();
  await page.getByRole('main').getByRole('listitem').getByRole('link').click();
  return new InInbox(page, shown, 0);
}

async function openWatched(serving: Running) {
  const page = await openWindow(await serving.text(/http:\S+#pair=\S+/));
  const shown: Shown[] = [];
  await page.exposeFunction('questionIsDrawn', (title: string) => shown.push({ title, digest: null }));
  await page.evaluate(WATCH);
  return { page, shown };
}

const QUESTION = 'section[aria-label^="Approval: "]';

/** Another question is another element: one that is drawn anew under the eyes of a person would be counted again. */
const WATCH = `
  new MutationObserver((records) => {
    for (const { addedNodes } of records)
      for (const node of addedNodes)
        if (node instanceof Element)
          for (const found of [node, ...node.querySelectorAll('section')])
            if (found.matches('${QUESTION}')) questionIsDrawn(found.getAttribute('aria-label'));
  }).observe(document.body, { childList: true, subtree: true })
`;

class OnPage implements FrontEnd {
  protected readonly page: Page;
  readonly #shown: readonly Shown[];
  readonly #callCount: number;

  constructor(page: Page, shown: readonly Shown[], callCount: number) {
    this.page = page;
    this.#shown = shown;
    this.#callCount = callCount;
  }

  shown(): readonly Shown[] {
    return this.#shown;
  }

  waiting(): Promise<readonly string[]> {
    return labelsOf(this.page, QUESTION);
  }

  async answer(title: string, outcome: Outcome): Promise<void> {
    const question = this.page.getByRole('region', { name: new RegExp(`^Approval: .*${title}`) });
    const press = (name: string | RegExp) => question.getByRole('button', { name }).click();
    for (const name of BUTTONS[outcome] ?? [outcome]) await press(name);
    // What to do instead is asked before a no is sent, and may be left empty.
    if (outcome === 'cancel') await press('Decline');
  }

  async cancel(): Promise<void> {
    await this.page.getByRole('button', { name: 'Stop all' }).click();
  }

  async ended(): Promise<readonly ('done' | 'not done')[]> {
    const cards = await until(async () => {
      const labels = await labelsOf(this.page, 'article');
      const isOver = labels.length === this.#callCount && labels.every((label) => ENDED.test(label));
      return isOver ? labels : null;
    }, 'the end of all calls');
    return cards.map((label) => (DONE.test(label) ? 'done' : 'not done'));
  }
}

/** All that wait are listed; the one that was selected is shown in full. */
class InInbox extends OnPage {
  override waiting(): Promise<readonly string[]> {
    return this.page.locator('.approval-row').allInnerTexts();
  }

  override async answer(title: string, outcome: Outcome): Promise<void> {
    await this.page.locator('.approval-row', { hasText: title }).click();
    await super.answer(title, outcome);
  }
}

const labelsOf = (page: Page, selector: string): Promise<string[]> =>
  page.evaluate(
    `Array.from(document.querySelectorAll('${selector}'), (each) => each.getAttribute('aria-label'))`,
  );

const DONE = /: (done|exit 0)$/;
const ENDED = /: (done|exit \d+|not run|failed|declined|cancelled)$/;

/** The buttons that lead to an answer, one after the other. */
const BUTTONS: { readonly [outcome in Outcome]?: readonly (string | RegExp)[] } = {
  proceed_once: ['Allow once'],
  proceed_always: ['Allow always …', /^Allow always .*for this session/],
  cancel: ['Decline'],
};
