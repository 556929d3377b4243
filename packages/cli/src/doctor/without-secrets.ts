/** An address without what may let somebody in: a name and password before the host, and whatever follows a question mark. */
export function addressText(address: string): string {
  if (!URL.canParse(address)) return '(not a URL)';
  const { protocol, host, pathname } = new URL(address);
  return `${protocol}//${host}${pathname === '/' ? '' : pathname}`;
}
