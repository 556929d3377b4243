import { once } from '@countersign/host';
import * as z from 'zod';
import { askJson } from '../web/ask-json.js';
import { fetchFailed } from '../web/connection-failure.js';
import { type Citation, citedText } from './cited-text.js';
import type { SearchAnswer, WebSearch } from './web-search.js';

export type GeminiGrounding = {
  readonly base: URL;
  /** A function where finding it takes time: called for each search. */
  readonly apiKey: string | ((signal: AbortSignal) => Promise<string>);
  readonly model: string;
};

const ANSWER_MS = 90_000; // it searches, reads and writes before the first byte comes

// What is missing or of another shape than documented is absent: most of an answer is better than none.
const part = () => z.object({ text: z.string().catch(''), thought: z.boolean().catch(false) });
const source = () => z.object({ web: z.object({ uri: z.string(), title: z.string().catch('') }) });
const support = () =>
  z.object({
    segment: z.object({ partIndex: z.int().catch(0), endIndex: z.int() }),
    groundingChunkIndices: z.array(z.int()),
  });
const candidate = () =>
  z.object({
    content: z.object({ parts: z.array(part()) }),
    groundingMetadata: z
      .object({
        groundingChunks: z.array(source().nullable().catch(null)).catch([]),
        groundingSupports: z.array(support().nullable().catch(null)).catch([]),
      })
      .catch({ groundingChunks: [], groundingSupports: [] }),
  });
type Candidate = z.output<ReturnType<typeof candidate>>;
const generation = once(() => z.object({ candidates: z.tuple([candidate()], z.unknown()) }));

/** A Gemini model that searches with Google and returns the source of each part of its answer. */
export function geminiGrounding({ base, apiKey, model }: GeminiGrounding): WebSearch {
  const url = new URL(base);
  url.pathname = `${base.pathname.replace(/\/+$/, '')}/v1beta/models/${encodeURIComponent(model)}:generateContent`;
  return {
    host: base.host,
    search: async (query, signal) => {
      const question = {
        url,
        headers: { 'x-goog-api-key': typeof apiKey === 'string' ? apiKey : await apiKey(signal) },
        body: { contents: [{ role: 'user', parts: [{ text: query }] }], tools: [{ googleSearch: {} }] },
        limits: { idleMs: ANSWER_MS, totalMs: ANSWER_MS },
      };
      const generated = generation().safeParse(await askJson(question, signal));
      if (generated.success) return answerOf(generated.data.candidates[0]);
      throw fetchFailed(
        { href: `${url.origin}${url.pathname}` },
        'the model returned no answer to this query',
      );
    },
  };
}

function answerOf({ content, groundingMetadata }: Candidate): SearchAnswer {
  const { groundingChunks, groundingSupports } = groundingMetadata;
  const sources = groundingChunks.filter((chunk) => chunk !== null);
  const numbersOf = (indices: readonly number[]) =>
    indices.flatMap((index) => {
      const source = groundingChunks[index];
      return source ? [sources.indexOf(source) + 1] : [];
    });
  const citationsIn = (part: number): Citation[] =>
    groundingSupports.flatMap((support) =>
      support?.segment.partIndex === part
        ? [{ endByte: support.segment.endIndex, numbers: numbersOf(support.groundingChunkIndices) }]
        : [],
    );
  const answer = content.parts
    .map(({ text, thought }, index) => (thought ? '' : citedText(text, citationsIn(index))))
    .join('');
  return {
    answer: answer.trim() === '' ? null : answer,
    results: sources.map(({ web }) => ({ title: web.title, url: web.uri, snippet: '' })),
  };
}
