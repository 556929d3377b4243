export { builtInTools } from './built-in-tools.js';
export { contentHash } from './content-hash.js';
export { defineTool, type ToolDefinition } from './define-tool.js';
export { type ArgumentIssue, describeIssues, type IssuesOf, nameOf } from './describe-issues.js';
export { isJsonList, isJsonObject } from './json-kinds.js';
export { type Classified, classify } from './paths/classify.js';
export { resolvePath, resolvePathSync } from './paths/resolve-path.js';
export { readGrantedText } from './read-granted-text.js';
export { type UnifiedDiff, unifiedDiff } from './text/unified-diff.js';
