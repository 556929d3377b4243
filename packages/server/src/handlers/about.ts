import { statfs } from 'node:fs/promises';
import { isAbsolute } from 'node:path';
import type { JsonObject } from '@countersign/protocol';
import { openApiDocument } from '../contract/openapi.js';
import { Refusal } from '../contract/problems.js';
import { PAIRING_FRAGMENT } from '../contract/routes.js';
import type { Admissions } from '../sign-in/admissions.js';
import type { SignIn } from '../sign-in/sign-in.js';
import { type Handlers, type Parts, SENT } from './handler.js';
import type { Metrics } from './metrics.js';

export type AboutParts = Parts & {
  readonly metrics: Metrics;
  readonly signIn: SignIn;
  readonly admissions: Admissions;
  /** How the server is reached. */
  readonly url: () => string;
};

export function aboutHandlers({ ports, journal, host, inbox, metrics, signIn, admissions, url }: AboutParts) {
  let document: JsonObject | null = null;
  return {
    health: async () => ({ status: 'ok' }),

    readiness: async () => {
      // There is neither, so nothing is changed; but each fails as every read or write would.
      await journal.session('');
      await journal.withdraw(0);
      await requireSpace(journal.place);
      return { status: 'ready' };
    },

    metrics: async ({ exchange: { response } }) => {
      response.writeHead(200, { 'content-type': 'text/plain; version=0.0.4' });
      response.end(metrics.text({ host, inbox }));
      return SENT;
    },

    describe: async () => {
      document ??= openApiDocument(ports.version);
      return document;
    },

    signIn: async ({ body: { code }, exchange: { request, response } }) => {
      const { name, secret, setCookie, replaced } = await signIn.exchange(code, request);
      if (replaced !== null) admissions.revoke(replaced, response);
      response.setHeader('set-cookie', setCookie);
      return { name, secret };
    },

    signOut: async ({ who, exchange: { response } }) => {
      response.setHeader('set-cookie', await signIn.signOut(who));
      // Other windows of that browser are signed out with it; a token lasts until it is removed.
      if (who.credential.type === 'browser') admissions.revoke(who.credential.key, response);
      return { name: who.name };
    },

    whoAmI: async ({ who }) => ({
      name: who.name,
      version: ports.version,
      workspaces: [...ports.workspaces],
      model: await ports.model(),
    }),

    makePairing: async ({ who }) => pairingLink(signIn.pairingBy(who), url()),
  } satisfies Partial<Handlers>;
}

/** With less than this, the next append may fail. */
const FREE_BYTES_MIN = 1024 * 1024;

/** Throws a `Refusal` if the file of the store cannot grow. A store in memory has no file. */
async function requireSpace(place: string): Promise<void> {
  if (!isAbsolute(place)) return;
  const disk = await statfs(place).catch(() => null);
  if (disk && disk.bavail * disk.bsize < FREE_BYTES_MIN)
    throw new Refusal({ code: 'journal_full', path: place });
}

export type PairingLink = { readonly url: string; readonly expiresAt: number };

export const pairingLink = (
  { code, expiresAt }: { readonly code: string; readonly expiresAt: number },
  url: string,
): PairingLink => ({ url: `${url}/#${PAIRING_FRAGMENT}${code}`, expiresAt });
