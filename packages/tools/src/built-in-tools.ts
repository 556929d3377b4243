import type { Tool } from '@countersign/engine';
import { listBackgroundProcesses } from './background/list-background-processes.js';
import { readBackgroundOutput } from './background/read-background-output.js';
import { stopBackgroundProcess } from './background/stop-background-process.js';
import { glob } from './glob/glob.js';
import { grepSearch } from './grep-search/grep-search.js';
import { listDirectory } from './list-directory/list-directory.js';
import { readFile } from './read-file/read-file.js';
import { readManyFiles } from './read-many-files/read-many-files.js';
import { replace } from './replace/replace.js';
import { shellOptions } from './run-shell-command/options.js';
import { runShellCommand } from './run-shell-command/run-shell-command.js';
import { writeFile } from './write-file/write-file.js';

export const builtInTools = (): Tool[] => [
  readFile,
  writeFile,
  replace,
  listDirectory,
  grepSearch,
  glob,
  readManyFiles,
  runShellCommand(shellOptions(process.env)),
  listBackgroundProcesses,
  readBackgroundOutput,
  stopBackgroundProcess,
];
