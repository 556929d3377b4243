import type { JsonObject } from '@countersign/protocol';

/** The edition of JSON Schema that a schema is written in; the latest where it names none. */
export function schemaDraft({ $schema }: JsonObject): '4' | '7' | '2019-09' | '2020-12' {
  const dialect = typeof $schema === 'string' ? $schema : '';
  if (dialect.includes('draft-04')) return '4';
  if (dialect.includes('draft-07') || dialect.includes('draft-06')) return '7';
  return dialect.includes('2019-09') ? '2019-09' : '2020-12';
}
