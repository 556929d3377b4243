import type { Tool } from '@countersign/engine';
import { listDirectory } from './list-directory/list-directory.js';
import { readFile } from './read-file/read-file.js';
import { writeFile } from './write-file/write-file.js';

export const builtInTools = (): Tool[] => [readFile, writeFile, listDirectory];
