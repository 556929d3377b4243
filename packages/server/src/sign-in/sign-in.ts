import type { IncomingMessage } from 'node:http';
import type { ServerLimits } from '../limits.js';
import { Refusal } from '../problems.js';
import { identify, type Who } from './identify.js';
import { Pairings } from './pairing.js';
import { makeCookie, type NamedToken } from './tokens.js';
import { WrongTokens } from './wrong-tokens.js';

/** A browser that is used now and then stays signed in; one that was lost does not for ever. */
const COOKIE_DAYS = 30;
const DAY_MS = 24 * 60 * 60_000;

export type TokenSource = { readonly tokens: () => Promise<readonly NamedToken[]> };

export type SignInOptions = {
  readonly tokens: TokenSource;
  readonly limits: ServerLimits;
  readonly now: () => number;
  /** Browsers share cookies between all ports of a host. */
  readonly cookieName: string;
  readonly isSecure: boolean;
};

/** Who is let in: programs by their token, browsers by the cookie they got for a pairing code. */
export class SignIn {
  readonly pairings: Pairings;
  readonly #options: SignInOptions;
  readonly #wrong: WrongTokens;

  constructor(options: SignInOptions) {
    const { limits, now } = options;
    this.#options = options;
    this.pairings = new Pairings(limits.pairingMs, now);
    this.#wrong = new WrongTokens(limits.wrongTokenDelayMs, limits.wrongTokenDelayMaxMs, now);
  }

  /** Throws a `Refusal`, and not too soon if something wrong was shown. */
  async whoIs(request: IncomingMessage): Promise<Who> {
    const { tokens, cookieName, now } = this.#options;
    const identified = identify(request, await tokens.tokens(), cookieName, now());
    if (identified.ok) return identified.who;
    const hasShownSomething =
      request.headers.authorization !== undefined || request.headers.cookie !== undefined;
    if (identified.problem.code === 'not_signed_in' && hasShownSomething)
      await this.#wrong.wait(addressOf(request));
    throw new Refusal(identified.problem);
  }

  /** The name that a code was made for, and the header that signs the browser in. */
  async exchange(
    code: string,
    request: IncomingMessage,
  ): Promise<{ readonly name: string; readonly setCookie: string }> {
    const { tokens, now } = this.#options;
    const name = this.pairings.use(code);
    const token = name === null ? undefined : (await tokens.tokens()).find((each) => each.name === name);
    if (!token) {
      await this.#wrong.wait(addressOf(request));
      throw new Refusal({ code: 'wrong_pairing_code' });
    }
    const cookie = makeCookie(token, now() + COOKIE_DAYS * DAY_MS);
    return { name: token.name, setCookie: this.#cookie(cookie, (COOKIE_DAYS * DAY_MS) / 1_000) };
  }

  /** The header that makes a browser forget its cookie. */
  signOut(): string {
    return this.#cookie('', 0);
  }

  #cookie(value: string, maxAgeSeconds: number): string {
    const { cookieName, isSecure } = this.#options;
    const secure = isSecure ? '; Secure' : '';
    return `${cookieName}=${value}; Path=/; HttpOnly; SameSite=Strict; Max-Age=${maxAgeSeconds}${secure}`;
  }
}

export const addressOf = ({ socket }: IncomingMessage): string => socket.remoteAddress ?? '';
