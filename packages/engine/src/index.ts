export * from './tool.js';
export * from './journal/journal.js';
