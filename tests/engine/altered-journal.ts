import type { Journal } from '@countersign/engine';

/** A journal of which some methods do something else, as a disk or another process would have it. */
export function alteredJournal(journal: Journal, instead: Partial<Journal>): Journal {
  return new Proxy(journal, {
    get(target, name) {
      const value: unknown = Reflect.get(name in instead ? instead : target, name);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}
