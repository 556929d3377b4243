export type {
  Command,
  Commands,
  Host,
  KnownSession,
  McpServer,
  Opened,
  OpenWish,
  SaidCommand,
} from './host.js';
export { serveEditor } from './serve-editor.js';
