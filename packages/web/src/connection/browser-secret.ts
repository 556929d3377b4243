/**
 * The secret that authenticates this browser, together with its cookie. The cookie is sent to every server on this host;
 * IndexedDB is readable only by pages and service workers of this origin.
 */
export class BrowserSecret {
  #secret: string | null = null;

  readonly get = (): string | null => this.#secret;

  /** Another window may have signed in or out meanwhile. Where nothing can be read, the value in memory is kept. */
  async load(): Promise<void> {
    try {
      const kept = await inStore('readonly', (store) => store.get(KEY));
      this.#secret = typeof kept === 'string' ? kept : null;
    } catch {
      // Without IndexedDB, as in some private windows, the page is signed in until it is closed.
    }
  }

  /** False if the browser keeps it only until the page is closed. */
  async keep(secret: string): Promise<boolean> {
    this.#secret = secret;
    return write((store) => store.put(secret, KEY));
  }

  async forget(): Promise<void> {
    this.#secret = null;
    await write((store) => store.delete(KEY));
  }
}

const DATABASE = 'countersign';
const STORE = 'sign-in';
const KEY = 'secret';
/** After this, IndexedDB counts as unavailable. */
const ANSWER_MS_MAX = 3_000;

const write = (work: (store: IDBObjectStore) => IDBRequest): Promise<boolean> =>
  inStore('readwrite', work).then(
    () => true,
    () => false,
  );

async function inStore(
  mode: IDBTransactionMode,
  work: (store: IDBObjectStore) => IDBRequest,
): Promise<unknown> {
  const opening = indexedDB.open(DATABASE, 1);
  opening.addEventListener('upgradeneeded', () => opening.result.createObjectStore(STORE));
  const database = await answerTo(opening);
  try {
    return await answerTo(work(database.transaction(STORE, mode).objectStore(STORE)));
  } finally {
    database.close();
  }
}

const answerTo = <T>(request: IDBRequest<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    const tooLong = setTimeout(() => reject(new Error('the browser did not respond')), ANSWER_MS_MAX);
    const settle = (act: () => void) => () => {
      clearTimeout(tooLong);
      act();
    };
    request.addEventListener(
      'success',
      settle(() => resolve(request.result)),
    );
    request.addEventListener(
      'error',
      settle(() => reject(request.error ?? new Error('it failed'))),
    );
  });
