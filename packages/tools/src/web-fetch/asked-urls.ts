import { quoted } from '@countersign/host';
import { URL_CHARS_MAX, wantedUrl } from '../web/wanted-url.js';

export const URLS_MAX = 20;

/** What to fetch, each address once; or what is wrong, in a sentence each. */
export type AskedUrls =
  | { readonly ok: true; readonly urls: readonly URL[] }
  | { readonly ok: false; readonly problems: readonly string[] };

export function askedUrls(args: {
  readonly url?: string | undefined;
  readonly prompt?: string | undefined;
}): AskedUrls {
  const { url, prompt } = args;
  const texts = [...(url === undefined ? [] : [url.trim()]), ...(prompt === undefined ? [] : urlsIn(prompt))];
  if (texts.length === 0) return { ok: false, problems: [nothingIn(prompt)] };
  const urls = new Map<string, URL>();
  const problems: string[] = [];
  for (const text of texts) {
    const wanted = wantedUrl(text);
    if (!wanted.ok) problems.push(`${quoted(text)} cannot be fetched: ${wanted.problem}`);
    else {
      const file = rawFile(wanted.url);
      urls.set(file.href, file);
    }
  }
  if (urls.size > URLS_MAX)
    problems.push(`at most ${URLS_MAX} URLs are fetched by one call, not ${urls.size}`);
  return problems.length > 0 ? { ok: false, problems } : { ok: true, urls: [...urls.values()] };
}

function nothingIn(prompt: string | undefined): string {
  if (prompt === undefined) return 'give "url", or "prompt" with the URLs in it';
  return '"prompt" has no URL in it that begins with http:// or https://';
}

/** Not the marks that close a sentence, a quotation or a Markdown link around an address. */
const URL_IN_TEXT = /\bhttps?:\/\/[^\s<>"`\\^{|}\p{Cc}，。、；：！？（）「」『』【】《》“”‘’…]+/giu;

function urlsIn(prompt: string): string[] {
  return Array.from(prompt.matchAll(URL_IN_TEXT), ([found]) => withoutClosingMarks(found));
}

function withoutClosingMarks(found: string): string {
  // Too long to be fetched, whatever closes it.
  if (found.length > 2 * URL_CHARS_MAX) return found;
  let url = found;
  while (/[.,;:!?'*_~]$/.test(url) || closesNothing(url)) url = url.slice(0, -1);
  return url;
}

/** A bracket at the end belongs to the address only if it was opened there, as in `…/Tree_(graph_theory)`. */
function closesNothing(url: string): boolean {
  const opening = { ')': '(', ']': '[' }[url.at(-1) ?? ''];
  return opening !== undefined && url.split(opening).length < url.split(url.at(-1) ?? '').length;
}

/** The page that GitHub makes of a file is mostly not that file. */
function rawFile(url: URL): URL {
  const [, repository, path] = /^\/([^/]+\/[^/]+)\/blob\/(.+)$/.exec(url.pathname) ?? [];
  if (url.host !== 'github.com' || repository === undefined || path === undefined) return url;
  return new URL(`https://raw.githubusercontent.com/${repository}/${path}`);
}
