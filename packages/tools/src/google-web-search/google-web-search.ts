import type { Tool } from '@countersign/engine';
import type { ToolResult } from '@countersign/protocol';
import * as z from 'zod';
import { defineTool } from '../define-tool/define-tool.js';
import { stripInvisible, UNTRUSTED_NOTE, untrusted } from '../web/untrusted.js';
import type { SearchAnswer, WebSearch } from './web-search.js';

const QUERY_CHARS_MAX = 2_000; // longer than any search engine takes

const input = () =>
  z.strictObject({
    query: z
      .string()
      .max(QUERY_CHARS_MAX)
      .refine((query) => query.trim() !== '', '"query" is empty; give the text to search for')
      .describe('What to search for.'),
  });

/** Searches the web with the service that is configured when a call is planned. `service` throws a `ToolFailure` if there is none. */
export const googleWebSearch = (service: () => WebSearch): Tool =>
  defineTool({
    name: 'google_web_search',
    displayName: 'Search the web',
    description:
      'Search the web. Returns an answer with its sources, or a list of pages to fetch with web_fetch.',
    kind: 'search',
    input,
    aliases: [{ name: 'web_search' }],
    plan: ({ query }) => {
      const title = `Search the web for "${query}"`;
      return {
        title,
        resources: [{ kind: 'net', host: service().host, access: 'read' }],
        repeat: 'safe',
        confirmation: { type: 'info', title, prompt: query, urls: [] },
      };
    },
    run: async ({ query }, { signal }) => describeSearch(query, await service().search(query, signal)),
  });

function describeSearch(query: string, { answer, results }: SearchAnswer): ToolResult {
  const found = results.length === 1 ? '1 page' : `${results.length} pages`;
  const returnDisplay = `Searched the web for "${query}": ${answer === null ? '' : 'an answer and '}${found}`;
  if (answer === null && results.length === 0)
    return { llmContent: `Nothing was found for "${query}". Try another query.`, returnDisplay };
  const list = results.map(({ title, url, snippet }, index) => {
    const name = onOneLine(title);
    return `${index + 1}. ${name === '' ? '' : `${name}: `}${onOneLine(url)}${snippet === '' ? '' : `\n   ${onOneLine(snippet)}`}`;
  });
  const sources = list.length === 0 ? [] : [['Sources:', ...list].join('\n')];
  const text = stripInvisible([...(answer === null ? [] : [answer]), ...sources].join('\n\n'));
  return { llmContent: `${UNTRUSTED_NOTE}\n\n${untrusted(text)}`, returnDisplay };
}

const onOneLine = (text: string): string => text.replace(/\s+/g, ' ').trim();
