export const URL_CHARS_MAX = 4_000; // longer ones carry data, which no user reads before approving

export type WantedUrl =
  | { readonly ok: true; readonly url: URL }
  | { readonly ok: false; readonly problem: string };

/** An address as it will be asked for: one spelling, without the fragment, which is no business of a server. */
export function wantedUrl(text: string, base?: URL): WantedUrl {
  const refuse = (problem: string): WantedUrl => ({ ok: false, problem });
  if (text.length > URL_CHARS_MAX) return refuse(`it has more than ${URL_CHARS_MAX} characters`);
  if (!URL.canParse(text, base?.href)) return refuse('it is not a valid URL');
  const url = new URL(text, base);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return refuse('only http and https are fetched');
  if (url.username !== '' || url.password !== '') return refuse('it holds a user name or password');
  url.hash = '';
  return { ok: true, url };
}
