export type Mention = { readonly server: string; readonly uri: string };

/** `@server:uri`: of several servers that it could begin with, the one with the longest name. */
export function resourceFor(mention: string, servers: Iterable<string>): Mention | null {
  const text = mention.replace(/^@/, '');
  let found: string | null = null;
  for (const server of servers)
    if (text.startsWith(`${server}:`) && server.length > (found?.length ?? -1)) found = server;
  const uri = text.slice((found?.length ?? 0) + 1);
  return found === null || uri === '' ? null : { server: found, uri };
}
