import { hashText } from './secrets.js';
import type { NamedToken } from './tokens.js';

/** What authenticated a request, so that its validity can be checked again later. `key` is unique for each. */
export type Credential =
  | { readonly type: 'token'; readonly key: string; readonly name: string; readonly hash: string }
  | { readonly type: 'browser'; readonly key: string; readonly name: string; readonly id: string };

export const tokenCredential = ({ name, token }: NamedToken): Credential =>
  credentialOfToken(name, hashText(token));

export const credentialOfToken = (name: string, hash: string): Credential => ({
  type: 'token',
  key: `token ${name} ${hash}`,
  name,
  hash,
});

export const browserCredential = (name: string, id: string): Credential => ({
  type: 'browser',
  key: `browser ${id}`,
  name,
  id,
});
