import type { JsonObject } from '@countersign/protocol';
import { useCallback, useId } from 'react';
import { useServices } from '../connection/services.js';
import { useLoaded } from '../parts/use-loaded.js';

export type ToolWords = { readonly name: string; readonly description: string; readonly example: string };

/** The tools that calls may name, with arguments to begin from. */
export function useTools(): readonly ToolWords[] {
  const { api } = useServices();
  const ask = useCallback((signal: AbortSignal) => api.listTools({}, { signal }), [api]);
  const { loaded } = useLoaded(ask);
  return loaded.state === 'loaded' ? loaded.value.tools.flatMap(toolIn) : [];
}

/** A tool to choose, and its arguments as JSON. */
export function ToolFields({
  tools,
  tool,
  text,
  problem,
  onTool,
  onText,
}: {
  readonly tools: readonly ToolWords[];
  readonly tool: string;
  readonly text: string;
  readonly problem: string | null;
  readonly onTool: (tool: string) => void;
  readonly onText: (text: string) => void;
}) {
  const id = useId();
  const chosen = tools.find(({ name }) => name === tool);
  return (
    <>
      <label>
        Tool
        <select
          value={tool}
          onChange={({ target }) => {
            onTool(target.value);
            onText(tools.find(({ name }) => name === target.value)?.example ?? '{}');
          }}
        >
          {!chosen && <option value={tool}>{tool}</option>}
          {tools.map(({ name }) => (
            <option key={name} value={name}>
              {name}
            </option>
          ))}
        </select>
      </label>
      <label htmlFor={id}>Arguments, as JSON</label>
      <textarea
        id={id}
        className="mono"
        rows={Math.min(12, text.split('\n').length + 1)}
        spellCheck={false}
        value={text}
        aria-invalid={problem !== null}
        aria-describedby={`${id}-note`}
        onChange={({ target }) => onText(target.value)}
      />
      <p id={`${id}-note`} className="note">
        {problem ?? chosen?.description.split('\n')[0] ?? ''}
      </p>
    </>
  );
}

function toolIn(declared: JsonObject): readonly ToolWords[] {
  const { name, description } = declared;
  if (typeof name !== 'string') return [];
  const schema = declared['parametersJsonSchema'] ?? declared['parameters'];
  return [
    { name, description: typeof description === 'string' ? description : '', example: exampleOf(schema) },
  ];
}

/** What must be given, with an empty value of its type. */
function exampleOf(schema: unknown): string {
  if (typeof schema !== 'object' || schema === null) return '{}';
  const required: readonly unknown[] =
    'required' in schema && Array.isArray(schema.required) ? schema.required : [];
  const properties = 'properties' in schema ? Object.entries(schema.properties ?? {}) : [];
  const known = new Map<string, unknown>(properties);
  const example = Object.fromEntries(
    required.filter((name) => typeof name === 'string').map((name) => [name, emptyOf(known.get(name))]),
  );
  return JSON.stringify(example, null, 2);
}

function emptyOf(schema: unknown): unknown {
  const type = typeof schema === 'object' && schema !== null && 'type' in schema ? schema.type : 'string';
  if (type === 'array') return [];
  if (type === 'object') return {};
  if (type === 'boolean') return false;
  return type === 'number' || type === 'integer' ? 0 : '';
}
