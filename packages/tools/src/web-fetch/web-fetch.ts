import { type RunContext, type Tool } from '@countersign/engine';
import { type DeclaredResource, ToolFailure } from '@countersign/protocol';
import * as z from 'zod';
import { defineTool } from '../define-tool/define-tool.js';
import { fetchPage } from '../web/fetch-page.js';
import { refuseByName } from '../web/reachable.js';
import { askedUrls, URLS_MAX } from './asked-urls.js';
import { describePages, type Fetched } from './describe-pages.js';
import type { WebFetchOptions } from './options.js';

const PROMPT_CHARS_MAX = 100_000; // twenty of the longest URLs, and words about them
const AFTER_FETCHING_MS = 30_000; // to make text of the pages

const input = () =>
  z
    .strictObject({
      prompt: z
        .string()
        .max(PROMPT_CHARS_MAX)
        .optional()
        .describe(`Up to ${URLS_MAX} URLs (http:// or https://), and what to look for on them.`),
      url: z.string().optional().describe('One URL, instead of a prompt.'),
    })
    .superRefine((args, context) => {
      const asked = askedUrls(args);
      if (!asked.ok) for (const message of asked.problems) context.addIssue({ code: 'custom', message });
    });
type Input = z.output<ReturnType<typeof input>>;

/** Fetches pages of the public internet as text. */
export function webFetch(options: WebFetchOptions): Tool {
  return defineTool({
    name: 'web_fetch',
    displayName: 'Fetch pages',
    description: `Fetch web pages by their URLs, as Markdown or plain text, up to ${URLS_MAX} at once. Only public addresses; local and private ones are refused.`,
    kind: 'fetch',
    input,
    timeoutMs: options.limits.totalMs + AFTER_FETCHING_MS,
    plan: async (args) => {
      const urls = urlsOf(args);
      for (const url of urls) await refuseByName(url, options.allowHosts);
      const hosts = [...new Set(urls.map(({ host }) => host))];
      const shown = urls.map(({ href }) => href);
      const title =
        urls.length === 1 ? `Fetch ${shown.join('')}` : `Fetch ${urls.length} pages from ${hosts.join(', ')}`;
      return {
        title,
        resources: hosts.map((host): DeclaredResource => ({ kind: 'net', host, access: 'read' })),
        repeat: 'safe',
        // An address can carry out what was read.
        byDefault: 'ask_user',
        confirmation: { type: 'info', title, prompt: args.prompt ?? title, urls: shown },
      };
    },
    run: async (args, context) => {
      const urls = urlsOf(args);
      const mayLeadTo = agreedHosts(context);
      let done = 0;
      const fetched = await Promise.all(
        urls.map(async (url) => {
          const each = await fetchOne(url, { ...options, mayLeadTo, signal: context.signal });
          done += 1;
          context.progress(done, urls.length);
          return each;
        }),
      );
      return describePages(fetched, context.directory);
    },
  });
}

function urlsOf(args: Input): readonly URL[] {
  const asked = askedUrls(args);
  if (asked.ok) return asked.urls;
  throw new ToolFailure({ code: 'invalid_tool_params', name: 'web_fetch', problems: asked.problems });
}

async function fetchOne(url: URL, fetching: Parameters<typeof fetchPage>[1]): Promise<Fetched> {
  try {
    return { asked: url.href, ok: true, page: await fetchPage(url, fetching) };
  } catch (error) {
    if (!(error instanceof ToolFailure)) throw error;
    return { asked: url.href, ok: false, error };
  }
}

/**
 * An approval of this very call showed the whole URL, and its server decides where it redirects. What was
 * agreed to once and for all, by a rule or a grant, was a host: any page there that passes visitors on would open the
 * whole internet to it.
 */
function agreedHosts({ permit, plan }: RunContext): (url: URL) => boolean {
  if (permit.type === 'person') return () => true;
  const bare = (host: string) => host.replace(/^www\./, '');
  const hosts = plan.resources.flatMap((resource) => (resource.kind === 'net' ? [bare(resource.host)] : []));
  return ({ host }) => hosts.includes(bare(host));
}
