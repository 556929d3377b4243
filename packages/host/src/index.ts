/**
 * This machine: paths, files, processes, text encodings, the proxy for requests, and checks of values against schemas.
 *
 * What enters: paths, command lines and bytes from tools. What leaves: resolved paths, opened files, running commands, decoded text,
 * or a failure as data.
 *
 * What holds: a path is resolved once, with links and `..`, and what is opened is what was judged (no race in between); a command's
 * process tree can always be ended, also by a later process; output goes to a file of bounded size.
 */
export { contentHash } from './content-hash.js';
export { noteUnfinished, removeUnfinished, temporaryName } from './files/unfinished-writes.js';
export { writeAtomically } from './files/write-atomically.js';
export { homeDirectory, homeOnRecord } from './home-directory.js';
export { once } from './once.js';
export { onOneLine } from './one-line.js';
export { orNull } from './or-null.js';
export {
  type Classified,
  classifierFor,
  classify,
  isSecretPath,
  SECRET_ENDINGS,
  SECRET_NAMES,
} from './paths/classify.js';
export { componentsBelow, shownPath, splitPath } from './paths/components.js';
export { errnoOf, readFailure, writeFailure } from './paths/file-failure.js';
export { HeldDirectories, lookInside } from './paths/held-directories.js';
export { fileNotFound, filesNear, similarNames } from './paths/nearest-names.js';
export {
  type OpenedFile,
  openFile,
  readFileAt,
  readFrom,
  readInside,
  readWholeFile,
  specialKindOf,
} from './paths/open-file.js';
export { type HeldDirectory, insideDirectory, ONLY_A_DIRECTORY } from './paths/open-inside.js';
export { isAmongOurs, isOurs } from './paths/own-files.js';
export { PROTECTED } from './paths/protected-names.js';
export { resolvePath, resolvePathSync } from './paths/resolve-path.js';
export { secretsBelow } from './paths/secrets-below.js';
export { isOfSystem, tooWide } from './paths/too-wide.js';
export { type Beginning, beginCommand } from './processes/begin-command.js';
export {
  callOff,
  commandFiles,
  type Exit,
  makeDirectory,
  pidFileOf,
  readRefusal,
  SIGNAL_BASE,
  signalName,
} from './processes/command-files.js';
export { endCommands } from './processes/end-commands.js';
export { type Ended, endTree, sendTo } from './processes/end-tree.js';
export { commandEnvironment, type HostEnvironment } from './processes/environment.js';
export { type Found, findCommand } from './processes/find-command.js';
export {
  type CommandLimits,
  type Ending,
  follow,
  type Outcome,
  overBy,
  type Stop,
} from './processes/follow.js';
export { measureOutput, readOutput, textOf } from './processes/output.js';
export { bootId, findProcess, isProcessTableKnown, leftBy } from './processes/process-table.js';
export { RunningCommand } from './processes/running-command.js';
export { lastLines, liveOutput, shownOutput } from './processes/shown-output.js';
export { type Confine } from './processes/wrapper.js';
export { type ForwardProxy, ProxyError, proxyFor, shownProxy } from './proxy/forward-proxy.js';
export { proxiedFetch } from './proxy/proxied-fetch.js';
export { type Connections, type ProxyRoute, proxyRoute } from './proxy/proxy-route.js';
export { type ArgumentIssue, describeIssues, nameOf } from './schema/describe-issues.js';
export { quoted } from './schema/expectation.js';
export { isJsonList, isJsonObject } from './schema/json-kinds.js';
export { normalSchema } from './schema/normal-schema.js';
export { plainData } from './schema/plain-data.js';
export { schemaDraft } from './schema/schema-draft.js';
export { type SchemaError, schemaIssues } from './schema/schema-issues.js';
export { bytesInWords } from './text/bytes-in-words.js';
export { type DecodedText, decodeText, lineEndingOf, storageOf } from './text/decode-text.js';
export { encodeText } from './text/encode-text.js';
export { lineChanges } from './text/line-changes.js';
export { countLines, linesInWords, splitLines } from './text/lines.js';
export { AUDIO_FOR_MODELS, guessMimeType, provenMimeType, SHOWN_TO_MODELS } from './text/mime-type.js';
export {
  BYTE_ORDER_MARKS,
  encodingName,
  formatRemarks,
  type LineEnding,
  type TextEncoding,
} from './text/text-format.js';
export { type UnifiedDiff, unifiedDiff } from './text/unified-diff.js';
export { decodeWindows1252 } from './text/windows-1252.js';
