// Writes a text so that bash reads it back as that text.

export const inSingleQuotes = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

export const inDoubleQuotes = (text: string): string => `"${text.replace(/[\\$"`]/g, '\\$&')}"`;

export const inAnsiQuotes = (text: string): string =>
  `$'${text.replace(/[\\']/g, '\\$&').replaceAll('\n', '\\n')}'`;

export const inBackquotes = (text: string): string => `\`${text.replace(/[\\`]/g, '\\$&')}\``;
