import { lstat, readdir, readFile } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { extname, join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { decoded } from '../contract/decoded.js';
import { Refusal } from '../contract/problems.js';

/** A page has some dozen files; more, or larger ones, are a wrong directory. */
const FILES_MAX = 500;
const FILE_BYTES_MAX = 8 * 1024 * 1024;
/** Less is not worth the work. */
const COMPRESSED_BYTES_MIN = 1_024;

type StaticFile = {
  readonly type: string;
  readonly isLasting: boolean;
  readonly plain: Buffer;
  readonly encoded: Map<Encoding, Promise<Buffer>>;
};
type Encoding = 'br' | 'gzip';

/**
 * The files of the page, all read at the start: a request can name nothing else,
 * whatever it writes in its path.
 */
export class StaticFiles {
  readonly #files: ReadonlyMap<string, StaticFile>;

  private constructor(files: ReadonlyMap<string, StaticFile>) {
    this.#files = files;
  }

  /** Null: there is no page, and a note is served in its place. */
  static async from(directory: string | null): Promise<StaticFiles> {
    const files = new Map<string, StaticFile>();
    if (directory !== null) await collect(directory, '', files);
    if (!files.has('/index.html')) files.set('/index.html', staticFile('/index.html', Buffer.from(NO_PAGE)));
    return new StaticFiles(files);
  }

  /** True if the file exists and was sent. */
  async serve(request: IncomingMessage, response: ServerResponse, path: string): Promise<boolean> {
    const file = this.#files.get(path === '/' ? '/index.html' : decoded(path));
    if (!file) return false;
    if (request.method !== 'GET' && request.method !== 'HEAD')
      throw new Refusal({ code: 'wrong_method', allowed: ['GET', 'HEAD'] });
    const encoding = encodingFor(file, request.headers['accept-encoding'] ?? '');
    const body = encoding ? await encodedAs(file, encoding) : file.plain;
    response.writeHead(200, {
      'content-type': file.type,
      'content-length': body.length,
      vary: 'accept-encoding',
      ...(encoding && { 'content-encoding': encoding }),
      ...(file.isLasting && { 'cache-control': 'public, max-age=31536000, immutable' }),
    });
    response.end(request.method === 'HEAD' ? undefined : body);
    return true;
  }
}

const NO_PAGE = `<!doctype html>
<html lang="en"><meta charset="utf-8"><title>Countersign</title>
<p>Countersign is running, but its page was not built. The interface is described at <a href="/api/openapi.json">/api/openapi.json</a>.</p>
</html>
`;

/** Skips names that begin with a dot, and links, which may point anywhere. */
async function collect(root: string, below: string, files: Map<string, StaticFile>): Promise<void> {
  for (const entry of await readdir(join(root, below), { withFileTypes: true })) {
    const path = `${below}/${entry.name}`;
    if (entry.name.startsWith('.')) continue;
    if (entry.isDirectory()) await collect(root, path, files);
    if (!entry.isFile()) continue;
    const { size } = await lstat(join(root, path));
    if (files.size >= FILES_MAX || size > FILE_BYTES_MAX)
      throw new Error(
        `${root} is not a directory of page files: more than ${FILES_MAX} files, or one above ${FILE_BYTES_MAX} bytes`,
      );
    files.set(path, staticFile(path, await readFile(join(root, path))));
  }
}

const staticFile = (path: string, plain: Buffer): StaticFile => ({
  type: TYPES[extname(path)] ?? 'application/octet-stream',
  isLasting: HASHED_NAME.test(path),
  plain,
  encoded: new Map(),
});

/** As builders name files that never change: `index-BX3k_9aQ.js`. */
const HASHED_NAME = /-[\w-]{8,}\.\w+$/;

const TYPES: { readonly [extension: string]: string } = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json',
  '.webmanifest': 'application/manifest+json',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
  '.txt': 'text/plain; charset=utf-8',
};
const COMPRESSIBLE = /^(text|application\/(json|manifest)|image\/svg)/;

function encodingFor({ plain, type }: StaticFile, accepted: string): Encoding | null {
  if (plain.length < COMPRESSED_BYTES_MIN || !COMPRESSIBLE.test(type)) return null;
  const names = accepted.split(',').map((each) => each.trim().toLowerCase());
  return names.includes('br') ? 'br' : names.includes('gzip') ? 'gzip' : null;
}

function encodedAs({ plain, encoded }: StaticFile, encoding: Encoding): Promise<Buffer> {
  const known = encoded.get(encoding);
  if (known) return known;
  const made = encoding === 'br' ? brotli(plain, BROTLI) : promisify(gzip)(plain);
  encoded.set(encoding, made);
  return made;
}

const brotli = promisify(brotliCompress);
/** Nearly as small as it gets, in a tenth of the time of the smallest. */
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } };
