import type { Json } from '@countersign/protocol';
import type { Client } from '@modelcontextprotocol/client';
import * as z from 'zod';

export type Listed = {
  readonly items: readonly Json[];
  /** Why it may not be the whole; null if it is. */
  readonly problem: string | null;
};

type List = 'tools' | 'resources' | 'prompts' | 'resourceTemplates';

const METHODS: { readonly [L in List]: string } = {
  tools: 'tools/list',
  resources: 'resources/list',
  prompts: 'prompts/list',
  resourceTemplates: 'resources/templates/list',
};

const PAGES_MAX = 50; // a list that takes more never ends
const ITEMS_MAX = 500; // no model can choose among more

// Each entry is looked at by itself, so that a bad one hides no other. Whatever comes out of JSON is JSON.
const Entries = z.array(z.custom<Json>());
const cursor = z.string().optional().catch(undefined);
const Page = {
  tools: z.looseObject({ tools: Entries, nextCursor: cursor }),
  resources: z.looseObject({ resources: Entries, nextCursor: cursor }),
  prompts: z.looseObject({ prompts: Entries, nextCursor: cursor }),
  resourceTemplates: z.looseObject({ resourceTemplates: Entries, nextCursor: cursor }),
};

/** Everything on a server's list, however many pages that takes, up to a limit. */
export async function listPages(client: Client, list: List, timeoutMs: number): Promise<Listed> {
  const items: Json[] = [];
  const seen = new Set<string>();
  for (let cursor: string | undefined; ; ) {
    const params = cursor === undefined ? {} : { cursor };
    const request = { method: METHODS[list], params };
    const page: { readonly [key: string]: unknown } = await client.request(request, Page[list], {
      timeout: timeoutMs,
    });
    items.push(...Entries.parse(page[list]));
    if (items.length > ITEMS_MAX)
      return {
        items: items.slice(0, ITEMS_MAX),
        problem: `of its ${list}, only the first ${ITEMS_MAX} are used`,
      };
    const { nextCursor } = page;
    if (typeof nextCursor !== 'string') return { items, problem: null };
    if (seen.has(nextCursor)) return { items, problem: `its list of ${list} repeats a page` };
    if (seen.size === PAGES_MAX)
      return { items, problem: `its list of ${list} has more than ${PAGES_MAX} pages` };
    seen.add(nextCursor);
    cursor = nextCursor;
  }
}
