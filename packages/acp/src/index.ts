export type { Host, KnownSession, McpServer, Opened, OpenWish } from './host.js';
export { serveEditor } from './serve-editor.js';
