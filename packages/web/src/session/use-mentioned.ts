import { useEffect, useState } from 'react';
import { useServices } from '../connection/services.js';

/** Who types a path is not finished with each letter. */
const TYPING_MS = 120;
const FILES_SHOWN = 8;

/** A path that is being typed at the end of a text. */
export const MENTION = /(^|\s)@([^\s@]*)$/;

export type Mentioned = {
  readonly files: readonly string[];
  /** Which of them would be taken. */
  readonly marked: number;
  readonly mark: (index: number) => void;
  /** None of them is meant. */
  readonly dismiss: () => void;
};

/** Files that the path at the end of the text may mean. */
export function useMentioned(text: string, workspace: string): Mentioned {
  const { api } = useServices();
  const [files, setFiles] = useState<readonly string[]>([]);
  const [marked, mark] = useState(0);
  const query = MENTION.exec(text)?.[2];
  useEffect(() => {
    if (query === undefined) return setFiles([]);
    const stop = new AbortController();
    const look = async () => {
      const asked = { workspace, limit: FILES_SHOWN, ...(query !== '' && { query }) };
      const found = await api.listFiles(asked, { signal: stop.signal });
      if (!found.ok || stop.signal.aborted) return;
      setFiles(found.value.files);
      mark(0);
    };
    const timer = setTimeout(() => void look(), TYPING_MS);
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [api, query, workspace]);
  return { files, marked, mark, dismiss: () => setFiles([]) };
}
