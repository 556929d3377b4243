import type { IncomingMessage } from 'node:http';
import { Refusal } from '../contract/problems.js';
import type { ServerLimits } from '../http/limits.js';
import { type BrowserRecord, FORGOTTEN_AFTER_MS } from './browser-records.js';
import { type Credential, tokenCredential } from './credential.js';
import { type BrowserSignIn, browserOf, cookiesIn, identify, type Who } from './identify.js';
import { Pairings } from './pairing.js';
import { hasHash, hashText } from './secrets.js';
import { isUnderToken, type NamedToken } from './tokens.js';
import { WrongTokens } from './wrong-tokens.js';

export type TokenSource = {
  readonly tokens: () => Promise<readonly NamedToken[]>;
  /** While true, every sign-in is refused, and it is not known which tokens were removed. */
  readonly isBroken?: boolean;
};

export type SignInOptions = {
  readonly tokens: TokenSource;
  /** Null where only tokens are accepted. */
  readonly browsers: (BrowserSignIn & { readonly isSecure: boolean }) | null;
  readonly limits: ServerLimits;
  readonly now: () => number;
};

/** `setCookie`: a header for the response that extends the cookie's lifetime; null if that is not due. */
export type Admitted = { readonly who: Who; readonly setCookie: string | null };

export type Exchanged = {
  readonly name: string;
  /** Kept by the page and sent with every request, together with the cookie. */
  readonly secret: string;
  readonly setCookie: string;
  /** The record that this browser had before, which is removed. */
  readonly replaced: Credential['key'] | null;
};

/** Authenticates programs by their token, and browsers by the cookie and secret that they got for a one-time code. */
export class SignIn {
  readonly #pairings: Pairings;
  readonly #options: SignInOptions;
  readonly #wrong: WrongTokens;
  /** The tokens for which browsers and links of others were removed. */
  #cleanedFor = '';

  constructor(options: SignInOptions) {
    const { limits, now } = options;
    this.#options = options;
    this.#pairings = new Pairings(limits.pairingMs, now);
    this.#wrong = new WrongTokens(limits.wrongTokenDelayMs, limits.wrongTokenDelayMaxMs, now);
  }

  /** Throws a `Refusal`, and not too soon if something wrong was shown. */
  async whoIs(request: IncomingMessage): Promise<Admitted> {
    const { browsers } = this.#options;
    const identified = await identify(request, await this.tokens(), browsers);
    if (identified.ok) {
      const { who, browser } = identified;
      return { who, setCookie: browser && (await this.#renew(browser, request)) };
    }
    const hasShownSomething =
      request.headers.authorization !== undefined || request.headers.cookie !== undefined;
    if (identified.problem.code === 'not_signed_in' && hasShownSomething)
      await this.#wrong.wait(addressOf(request));
    throw new Refusal(identified.problem);
  }

  /**
   * The tokens as they are now. Where one was changed or removed, its browsers and unopened links are removed first, for
   * good: they must not come back with the token.
   */
  async tokens(): Promise<readonly NamedToken[]> {
    const { tokens: source, browsers } = this.#options;
    const tokens = await source.tokens();
    const version = JSON.stringify(tokens.map(({ name, token }) => [name, hashText(token)]));
    if (source.isBroken === true || version === this.#cleanedFor) return tokens;
    await browsers?.records.removeEnded(tokens);
    await this.#pairings.removeUnless(
      (maker) => maker.type === 'browser' || isUnderToken({ name: maker.name, token: maker.hash }, tokens),
    );
    this.#cleanedFor = version;
    return tokens;
  }

  /** Whether a credential would still be accepted. Marks a browser as seen: one with an open stream is in use. */
  async isValid(credential: Credential): Promise<boolean> {
    const { browsers } = this.#options;
    const known = await this.tokens();
    if (credential.type === 'token')
      return known.some(({ name, token }) => name === credential.name && hasHash(token, credential.hash));
    const record = (await browsers?.records.find(credential.id)) ?? null;
    if (record === null || !isUnderToken(record, known)) return false;
    await browsers?.records.markSeen(record);
    return true;
  }

  /** A code under the name of a token, for printing; invalid once that token is changed or removed. */
  pairingFor(name: string): { readonly code: string; readonly expiresAt: number } {
    const token = this.#tokenOf(name);
    return this.#pairings.make(token.then((found) => found && tokenCredential(found)));
  }

  /** A code that becomes invalid with the credential of the request that made it. */
  pairingBy({ credential }: Who): { readonly code: string; readonly expiresAt: number } {
    return this.#pairings.make(Promise.resolve(credential));
  }

  /** Signs the browser in that opened a link. Throws a `Refusal`. */
  async exchange(code: string, request: IncomingMessage): Promise<Exchanged> {
    const { browsers } = this.#options;
    const known = await this.tokens();
    const maker = (await this.#pairings.use(code)) ?? (await browsers?.records.links.use(code)) ?? null;
    const token = maker && (await this.isValid(maker)) ? await this.#tokenOf(maker.name) : null;
    if (!token || !browsers) {
      await this.#wrong.wait(addressOf(request));
      throw new Refusal({ code: 'wrong_pairing_code' });
    }
    const before = await browserOf(request, known, browsers);
    const { cookie, secret } = await browsers.records.add(token, request.headers['user-agent'] ?? '');
    if (before) await browsers.records.remove(before.id);
    return {
      name: token.name,
      secret,
      setCookie: this.#cookie(cookie, FORGOTTEN_AFTER_MS),
      replaced: before && `browser ${before.id}`,
    };
  }

  /** Removes the record of a browser; returns the header that deletes its cookie. */
  async signOut({ credential }: Who): Promise<string> {
    if (credential.type === 'browser') await this.#options.browsers?.records.remove(credential.id);
    return this.#cookie('', 0);
  }

  /** Marks a browser as seen; where that is due, returns the header that extends its cookie as well. */
  async #renew(browser: BrowserRecord, { headers }: IncomingMessage): Promise<string | null> {
    const { browsers } = this.#options;
    if (!browsers || !(await browsers.records.markSeen(browser))) return null;
    const cookies = cookiesIn(headers.cookie ?? '', browsers.cookieName);
    const cookie = cookies.find((each) => each.startsWith(`${browser.id}.`));
    return cookie === undefined ? null : this.#cookie(cookie, FORGOTTEN_AFTER_MS);
  }

  /** Not by `tokens()`, which waits for the makers of links, and those for this. */
  async #tokenOf(name: string): Promise<NamedToken | null> {
    return (await this.#options.tokens.tokens()).find((each) => each.name === name) ?? null;
  }

  #cookie(value: string, maxAgeMs: number): string {
    const { cookieName, isSecure } = this.#options.browsers ?? { cookieName: '', isSecure: false };
    const secure = isSecure ? '; Secure' : '';
    return `${cookieName}=${value}; Path=/; HttpOnly; SameSite=Strict; Max-Age=${maxAgeMs / 1_000}${secure}`;
  }
}

export const addressOf = ({ socket }: IncomingMessage): string => socket.remoteAddress ?? '';
