export { builtInTools } from './built-in-tools.js';
export { defineTool, type ToolDefinition } from './define-tool.js';
export { type Classified, classify } from './paths/classify.js';
export { resolvePath } from './paths/resolve-path.js';
export { type UnifiedDiff, unifiedDiff } from './text/unified-diff.js';
