import { bytesInWords } from '@countersign/host';
import { explain, ToolFailure, type ToolResult } from '@countersign/protocol';
import type { Page } from '../web/fetch-page.js';
import { beginning } from '../web/html/beginning.js';
import { UNTRUSTED_NOTE, untrusted } from '../web/untrusted.js';
import { fairShares } from './fair-shares.js';
import { shownText } from './shown-text.js';

/** What became of one address. */
export type Fetched = { readonly asked: string } & (
  | { readonly ok: true; readonly page: Page }
  | { readonly ok: false; readonly error: ToolFailure }
);

const TEXT_CHARS_MAX = 60_000; // of all pages together; the engine cuts at more, and not by page
const TITLE_CHARS_MAX = 200;

/** All pages for a model, and for a person that they were fetched. Throws if there is none. */
export async function describePages(fetched: readonly Fetched[], directory: string): Promise<ToolResult> {
  const [first] = fetched;
  if (fetched.length === 1 && first?.ok === false) throw first.error;
  const shares = fairShares(
    fetched.map((each) => (each.ok ? each.page.text.length : 0)),
    TEXT_CHARS_MAX,
  );
  const sections = await Promise.all(
    fetched.map(async (each, index) => {
      const number = fetched.length === 1 ? '' : `${index + 1}. `;
      if (!each.ok) return `${number}${failureSection(each.asked, each.error)}`;
      const file = `page-${index + 1}.md`;
      const text = await shownText(each.page.text, shares[index] ?? 0, directory, file);
      return `${number}${pageSection(each.asked, each.page, text)}`;
    }),
  );
  if (first?.ok === false && !fetched.some(({ ok }) => ok))
    throw new ToolFailure(first.error.failure, sections.join('\n\n'));
  return {
    llmContent: [UNTRUSTED_NOTE, ...sections].join('\n\n'),
    returnDisplay: fetched.map(displayOf).join('\n'),
  };
}

function pageSection(asked: string, page: Page, text: string): string {
  const from = page.url === asked ? '' : ` (requested as ${asked})`;
  const title = page.title === null ? '' : `Title: ${beginning(page.title, TITLE_CHARS_MAX)}\n\n`;
  const missing = page.missing === null ? '' : `\n[Incomplete: ${page.missing}.]`;
  const heading = `${page.url}${from}: status ${page.status}, ${page.mimeType}`;
  return `${heading}\n${untrusted(`${title}${text === '' ? '(no text)' : text}`)}${missing}`;
}

function failureSection(asked: string, { failure, output }: ToolFailure): string {
  const { message, hint } = explain(failure);
  return `${asked}: failed. ${message} ${hint}${output === null ? '' : `\n${output}`}`;
}

function displayOf(fetched: Fetched): string {
  if (!fetched.ok) return `Failed: ${explain(fetched.error.failure).message}`;
  const { url, title, text } = fetched.page;
  const size = bytesInWords(Buffer.byteLength(text));
  return `Fetched ${url}${title === null ? '' : ` "${beginning(title, TITLE_CHARS_MAX)}"`} (${size} of text)`;
}
