/** `rules` as `shortRules` reads them. */
export type Case = readonly [rules: string, command: string, expected: 'allow' | 'ask' | 'deny'];
export type Cases = { readonly [kind: string]: readonly Case[] };
