export type { Commands, Host, KnownSession, Opened, OpenWish } from './host.js';
export { serveEditor } from './serve-editor.js';
