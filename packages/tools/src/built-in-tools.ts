import type { Tool } from '@countersign/engine';
import { askUser } from './ask-user/ask-user.js';
import { listBackgroundProcesses } from './background/list-background-processes.js';
import { readBackgroundOutput } from './background/read-background-output.js';
import { stopBackgroundProcess } from './background/stop-background-process.js';
import { type ShellOptions, shellOptions } from './confined-command/options.js';
import { glob } from './glob/glob.js';
import { grepSearch } from './grep-search/grep-search.js';
import { listDirectory } from './list-directory/list-directory.js';
import { enterPlanMode } from './plan-mode/enter-plan-mode.js';
import { exitPlanMode } from './plan-mode/exit-plan-mode.js';
import { readFile } from './read-file/read-file.js';
import { readManyFiles } from './read-many-files/read-many-files.js';
import { replace } from './replace/replace.js';
import { runShellCommand } from './run-shell-command/run-shell-command.js';
import { updateTopic } from './update-topic/update-topic.js';
import { webFetchOptions } from './web-fetch/options.js';
import { webFetch } from './web-fetch/web-fetch.js';
import { writeFile } from './write-file/write-file.js';
import { writeTodos } from './write-todos/write-todos.js';

/** `shell`: options of the program that override the environment. */
export const builtInTools = (shell: Partial<ShellOptions> = {}): Tool[] => [
  readFile,
  writeFile,
  replace,
  listDirectory,
  grepSearch(shell.ours ?? []),
  glob,
  readManyFiles(shell.ours ?? []),
  runShellCommand({ ...shellOptions(process.env), ...shell }),
  listBackgroundProcesses,
  readBackgroundOutput,
  stopBackgroundProcess,
  webFetch(webFetchOptions(process.env)),
  askUser,
  enterPlanMode,
  exitPlanMode,
  updateTopic,
  writeTodos,
];
