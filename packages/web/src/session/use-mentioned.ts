import { useEffect, useState } from 'react';
import { useServices } from '../connection/services.js';

/** Waits until the user has stopped typing. */
const TYPING_MS = 120;
const FILES_SHOWN = 8;

/** A path that is being typed at the end of a text. */
export const MENTION = /(^|\s)@([^\s@]*)$/;

export type Mentioned = {
  readonly files: readonly string[];
  /** Which of them would be taken. */
  readonly marked: number;
  readonly mark: (index: number) => void;
  /** Closes the list without a choice. */
  readonly dismiss: () => void;
};

/** Files that the path at the end of the text may mean. */
export function useMentioned(text: string, workspace: string): Mentioned {
  const { api } = useServices();
  const [found, setFound] = useState<readonly string[]>([]);
  const [markedFile, setMarkedFile] = useState<string | null>(null);
  const query = MENTION.exec(text)?.[2];
  useEffect(() => {
    if (query === undefined) return setFound([]);
    const stop = new AbortController();
    const look = async () => {
      const asked = { workspace, limit: FILES_SHOWN, ...(query !== '' && { query }) };
      const listed = await api.listFiles(asked, { signal: stop.signal });
      if (listed.ok && !stop.signal.aborted) setFound(listed.value.files);
    };
    const timer = setTimeout(() => void look(), TYPING_MS);
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [api, query, workspace]);
  // The effect above runs after a render: without a path at the end of the text, no key may take a file before that.
  const files = query === undefined ? [] : found;
  return {
    files,
    // A list that arrives late does not move the mark from the file that was chosen.
    marked: Math.max(0, markedFile === null ? 0 : files.indexOf(markedFile)),
    mark: (index) => setMarkedFile(files[index] ?? null),
    dismiss: () => setFound([]),
  };
}
