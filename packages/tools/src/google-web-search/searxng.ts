import { once } from '@countersign/host';
import { ToolFailure } from '@countersign/protocol';
import * as z from 'zod';
import { askJson } from '../web/ask-json.js';
import { fetchFailed } from '../web/connection-failure.js';
import type { WebSearch } from './web-search.js';

const RESULTS_MAX = 10; // what is further down is rarely looked at

const found = once(() => {
  const text = z.string().catch('');
  const result = z.object({ url: z.string(), title: text, content: text });
  // Newer versions add the source of an answer.
  const answer = z.union([
    z.string(),
    z.object({ answer: z.string() }).transform(({ answer: said }) => said),
  ]);
  return z.object({ results: z.array(result), answers: z.array(answer).catch([]) });
});

/** A SearXNG instance, which a person chose. */
export const searxng = (base: URL): WebSearch => ({
  host: base.host,
  search: async (query, signal) => {
    const url = new URL(base);
    url.pathname = `${base.pathname.replace(/\/+$/, '')}/search`;
    url.search = new URLSearchParams({ q: query, format: 'json' }).toString();
    const answered = found().safeParse(await askJson({ url }, signal).catch(explained));
    if (!answered.success)
      throw fetchFailed({ href: `${url.origin}${url.pathname}` }, 'its response has no search results');
    const { answers, results } = answered.data;
    return {
      answer: answers[0] ?? null,
      results: results
        .slice(0, RESULTS_MAX)
        .map(({ title, url: address, content }) => ({ title, url: address, snippet: content })),
    };
  },
});

/** So does an instance answer whose settings offer no JSON, and as installed they do not. */
function explained(error: unknown): never {
  if (!(error instanceof ToolFailure) || error.failure.code !== 'http_status' || error.failure.status !== 403)
    throw error;
  throw fetchFailed(
    { href: error.failure.url },
    'it responded with 403; its settings.yml must list json in search.formats',
  );
}
