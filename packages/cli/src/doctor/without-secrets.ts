/** An address without credentials: no user name, password or query. */
export function addressText(address: string): string {
  if (!URL.canParse(address)) return '(not a URL)';
  const { protocol, host, pathname } = new URL(address);
  return `${protocol}//${host}${pathname === '/' ? '' : pathname}`;
}
