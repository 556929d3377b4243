import type { JsonObject } from '@countersign/protocol';
import { useId, useState } from 'react';
import { useServices } from '../connection/services.js';
import { Options } from '../parts/options.js';
import { readArgs } from '../parts/read-args.js';
import { useLoaded } from '../parts/use-loaded.js';

type ToolWords = { readonly name: string; readonly description: string; readonly example: string };

/** A call that the user writes: a tool to choose, and its arguments as JSON; `args` is null while they are invalid. */
export function useToolCall(firstTool: string, firstArgs: JsonObject) {
  const { api } = useServices();
  const { loaded } = useLoaded((signal) => api.listTools({}, { signal }), [api]);
  const [tool, setTool] = useState(firstTool);
  const [text, setText] = useState(JSON.stringify(firstArgs, null, 2));
  const { args, problem } = readArgs(text);
  const tools = loaded.state === 'loaded' ? loaded.value.tools.flatMap(toolIn) : [];
  const id = useId();
  const chosen = tools.find(({ name }) => name === tool);
  const fields = (
    <>
      <label>
        Tool
        <select
          value={tool}
          onChange={({ target }) => {
            setTool(target.value);
            setText(tools.find(({ name }) => name === target.value)?.example ?? '{}');
          }}
        >
          {!chosen && <option value={tool}>{tool}</option>}
          <Options of={tools.map(({ name }) => [name, name])} />
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
        onChange={({ target }) => setText(target.value)}
      />
      <p id={`${id}-note`} className="note">
        {problem ?? chosen?.description.split('\n')[0] ?? ''}
      </p>
    </>
  );
  return { tool, args, fields };
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
