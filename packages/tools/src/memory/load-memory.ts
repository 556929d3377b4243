import { shownPath } from '@countersign/host';
import {
  lookAt,
  MEMORY_NAMES,
  type MemoryPlaces,
  projectDirectories,
  userDirectoriesOf,
} from './memory-places.js';
import { MemoryReading } from './memory-reading.js';
import { type MemoryFile, memoryText } from './memory-text.js';

export type Memory = {
  /** Most general first. */
  readonly files: readonly MemoryFile[];
  /** All of them for a system prompt, each under a header; empty if there are none. */
  readonly text: string;
};

/** The memory for all work here: the user's, then the project's from the top of its repository down. */
export async function loadMemory(places: MemoryPlaces): Promise<Memory> {
  const { workspace, names = MEMORY_NAMES } = places;
  const own = userDirectoriesOf(places);
  const directories = [
    ...own.map((directory) => ({ directory, from: 'user' as const })),
    ...projectDirectories(workspace).map((directory) => ({ directory, from: 'workspace' as const })),
  ];
  const reading = new MemoryReading([workspace, ...own], (path) => shownPath(workspace, path));
  const files: MemoryFile[] = [];
  for (const { directory, from } of directories) {
    // The user's directory may link to files elsewhere; a project may only refer to its own files.
    const roots = from === 'user' ? ['/'] : [workspace, directory];
    for (const name of names) {
      if (lookAt(`${directory}/${name}`) === null) continue;
      const read = await reading.read(directory, name, roots);
      if (read) files.push({ file: read.path, from, text: read.text });
    }
  }
  return { files, text: memoryText(files, workspace) };
}
