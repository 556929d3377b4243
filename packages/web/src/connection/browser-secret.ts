/**
 * What makes this browser known to the server, beside its cookie. The cookie reaches every server on this host; what a
 * page keeps in IndexedDB, only pages of its own origin can read, and later a service worker of it.
 */
export class BrowserSecret {
  #secret: string | null = null;

  readonly get = (): string | null => this.#secret;

  /** Another window may have signed in or out meanwhile. What can not be read counts as it was known last. */
  async load(): Promise<void> {
    try {
      const kept = await inStore('readonly', (store) => store.get(KEY));
      this.#secret = typeof kept === 'string' ? kept : null;
    } catch {
      // A browser that keeps nothing for pages: it is signed in until this page is closed.
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
/** A browser that does not answer by then keeps nothing. */
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
    const tooLong = setTimeout(() => reject(new Error('the browser did not answer')), ANSWER_MS_MAX);
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
