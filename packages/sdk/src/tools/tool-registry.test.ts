import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Tool } from '@countersign/engine';
import type { JsonObject } from '@countersign/protocol';
import { afterEach, beforeEach, describe, expect, expectTypeOf, test } from 'vitest';
import * as z from 'zod';
import { Config, type ConfigParameters } from '../config/config.js';
import { PolicyEngine } from '../policy/policy-engine.js';
import { executeToolCall } from '../scheduler/execute-tool-call.js';
import { ApprovalMode, Kind } from '../types/enums.js';
import type { PlainTool, ToolResult } from '../types/tool-types.js';
import { BaseDeclarativeTool } from './base-declarative-tool.js';
import { BaseToolInvocation } from './base-tool-invocation.js';
import { registerBuiltInTools } from './built-in.js';
import { defineTool } from './define-tool.js';
import { ToolRegistry } from './tool-registry.js';

interface Params {
  target: string;
}
class DeployInvocation extends BaseToolInvocation<Params, ToolResult> {
  getDescription(): string {
    return 'Deploy';
  }
  async execute(): Promise<ToolResult> {
    return { llmContent: 'deployed', returnDisplay: '' };
  }
}
class Deploy extends BaseDeclarativeTool<Params, ToolResult> {
  constructor(description = 'Deploy to a target.') {
    super('deploy', 'Deploy', description, Kind.Execute, {
      type: 'OBJECT',
      properties: { target: { type: 'STRING' } },
    });
  }
  override getSchema(modelId?: string) {
    return { ...super.getSchema(), ...(modelId === 'terse' && { description: 'Deploy.' }) };
  }
  protected createInvocation(params: Params) {
    return new DeployInvocation(params);
  }
}
const echo = defineTool({
  name: 'echo',
  displayName: 'Echo',
  description: 'Say it again.',
  kind: Kind.Think,
  input: z.object({ text: z.string() }),
  aliases: [{ name: 'say' }],
  plan: () => ({ title: 'Echo', resources: [], repeat: 'safe' }),
  run: ({ text }) => ({ llmContent: text, returnDisplay: text }),
});
const count: PlainTool<Params> = {
  name: 'count',
  description: 'Count.',
  schema: { type: 'object', properties: { target: { type: 'string' } } },
  execute: async ({ target }) => ({ llmContent: target.length.toString(), returnDisplay: '' }),
};

test('tools of all three styles are given back as they were registered, also by another name [E2] [T2]', () => {
  const registry = new ToolRegistry();
  const deploy = new Deploy();
  registry.registerTool(deploy);
  registry.registerTool(echo);
  registry.registerTool(count);
  expect(registry.getTool('deploy')).toBe(deploy);
  expect(registry.getTool('say')).toBe(echo);
  expect(registry.getTool('count')).toBe(count);
  expect(registry.getTool('nothing')).toBeUndefined();
  expect(registry.getAllToolNames()).toEqual(['deploy', 'echo', 'count']);
  expect(registry.getAllTools()).toEqual([deploy, echo, count]);
  expect([...registry.allKnownTools]).toEqual([
    ['deploy', deploy],
    ['echo', echo],
    ['count', count],
  ]);
});

test('a plain tool can be written where it is registered, and its parameters are typed [E2]', () => {
  const registry = new ToolRegistry();
  registry.registerTool({
    name: 'shout',
    displayName: 'Shout',
    description: 'Say it loudly.',
    schema: { type: 'object', properties: { text: { type: 'string' } } },
    canUpdateOutput: false,
    validateToolParams(params) {
      expectTypeOf(params).toEqualTypeOf<JsonObject>();
      return typeof params['text'] === 'string' ? null : 'text is missing';
    },
    shouldConfirmExecute: async (_params, signal) => {
      expectTypeOf(signal).toEqualTypeOf<AbortSignal>();
      return false;
    },
    execute: async (params) => ({ llmContent: String(params['text']), returnDisplay: '' }),
  });
  expect(registry.getAllToolNames()).toEqual(['shout']);
});

test('a model receives declarations, its own where the tool distinguishes models [T2]', () => {
  const registry = new ToolRegistry();
  for (const tool of [new Deploy(), echo]) registry.registerTool(tool);
  registry.registerTool(count);
  const parametersJsonSchema = { type: 'object', properties: { target: { type: 'string' } } };
  expect(registry.getFunctionDeclarations()).toEqual([
    { name: 'deploy', description: 'Deploy to a target.', parametersJsonSchema },
    { name: 'echo', description: 'Say it again.', parametersJsonSchema: echo.inputSchema },
    { name: 'count', description: 'Count.', parametersJsonSchema },
  ]);
  expect(registry.getFunctionDeclarations('terse')[0]?.description).toBe('Deploy.');
});

test('a tool that policy denies without conditions is not declared, in the modes where it is denied [P2]', async () => {
  const policyEngine = new PolicyEngine({
    rules: [
      { toolName: 'deploy', decision: 'deny', modes: ['yolo'] },
      { toolName: 'count', decision: 'deny', argsPattern: '"target":"x' },
    ],
  });
  await policyEngine.ready();
  const config = new Config({ policyEngine });
  const registry = new ToolRegistry(config);
  registry.registerTool(new Deploy());
  registry.registerTool(count);
  const declared = () => registry.getFunctionDeclarations().map(({ name }) => name);
  expect(declared()).toEqual(['deploy', 'count']);
  config.setApprovalMode(ApprovalMode.YOLO);
  expect(declared()).toEqual(['count']);
  await policyEngine.addRule({ toolName: 'count', decision: 'deny' });
  expect(declared()).toEqual([]);
  expect(registry.getAllToolNames()).toEqual(['deploy', 'count']);
});

test('a tool of the same name takes the place of the one before [E2]', () => {
  const registry = new ToolRegistry();
  registry.registerTool(echo);
  const other = { ...count, name: 'echo' };
  registry.registerTool(other);
  expect(registry.getTool('echo')).toBe(other);
  expect(registry.getTool('say')).toBeUndefined();
  expect(registry.getAllToolNames()).toEqual(['echo']);
});

test('a toolbox in use follows what is registered and taken away later [T2]', () => {
  const config = new Config();
  const registry = new ToolRegistry(config);
  registry.registerTool(echo);
  const box = registry.toolbox({ config, wantsOutput: () => false });
  expect(box.all().map(({ name }) => name)).toEqual(['echo']);
  registry.registerTool(new Deploy('First.'));
  registry.registerTool(new Deploy('Second.'));
  expect(box.get('deploy')?.description).toBe('Second.');
  expect(registry.unregisterTool('echo')).toBe(true);
  expect(registry.unregisterTool('echo')).toBe(false);
  expect(box.get('say')).toBeUndefined();
  expect(registry.getTool('say')).toBeUndefined();
});

test('what is no tool is refused with the reason', () => {
  const registry = new ToolRegistry();
  const register = (text: string) => () => registry.registerTool(JSON.parse(text));
  expect(register('null')).toThrow('it is not an object');
  expect(register('{"description":"x"}')).toThrow('it has no name');
  expect(register('{"name":"x"}')).toThrow('x has neither execute, nor build, nor plan and run');
});

test('the built-in tools are registered under their names and the names models give them [E2]', () => {
  const registry = new ToolRegistry();
  registerBuiltInTools(registry, new Config());
  expect(registry.getAllToolNames()).toEqual(
    expect.arrayContaining(['read_file', 'write_file', 'list_directory']),
  );
  expect(registry.getTool('cat')).toBe(registry.getTool('read_file'));
});

describe('the tools of a project', () => {
  let project: string;
  beforeEach(() => {
    project = realpathSync(mkdtempSync(join(tmpdir(), 'countersign-project-')));
  });
  afterEach(() => rmSync(project, { recursive: true, force: true }));

  const declare = (...declarations: readonly unknown[]) =>
    writeFileSync(join(project, 'tools.json'), JSON.stringify(declarations));
  const registryOf = (parameters: Partial<ConfigParameters> = {}) =>
    new ToolRegistry(
      new Config({
        targetDir: project,
        toolDiscoveryCommand: 'cat tools.json',
        toolCallCommand: 'cat && echo',
        ...parameters,
      }),
    );
  const weigh = {
    name: 'weigh',
    description: 'Weighs.',
    parameters: { type: 'OBJECT', properties: { grams: { type: 'INTEGER' } }, required: ['grams'] },
  };

  test('are discovered by its own command, declared to models and checked by their schema [T2]', async () => {
    declare({ functionDeclarations: [weigh] });
    const registry = registryOf();
    const [tool] = await registry.discoverTools();
    expect(registry.getTool('weigh')).toBe(tool);
    expect(registry.getTool('discovered_tool_weigh')).toBe(tool);
    expect(registry.getFunctionDeclarations()).toEqual([
      {
        name: 'weigh',
        description: 'Weighs.',
        parametersJsonSchema: {
          type: 'object',
          properties: { grams: { type: 'integer' } },
          required: ['grams'],
        },
      },
    ]);
    const box = registry.toolbox({ config: new Config(), wantsOutput: () => false });
    expect(box.get('weigh')?.check({ grams: 'many' })).toEqual({
      ok: false,
      problems: ['"grams" must be a whole number, not "many"'],
    });
  });

  test('are carried out by its own command, like any other tool, where policy lets them [T2] [P1]', async () => {
    declare(weigh);
    const registry = registryOf();
    await registry.discoverTools();
    const call = { callId: '1', name: 'weigh', args: { grams: 5 }, isClientInitiated: false, prompt_id: 'p' };
    const asking = await executeToolCall(new Config({ targetDir: project }), call, registry);
    expect(asking.errorType).toBe('nobody_to_ask');
    const yolo = new Config({ targetDir: project, approvalMode: 'yolo' });
    const done = await executeToolCall(yolo, call, registry);
    expect(done).toMatchObject({ error: undefined, resultDisplay: '{"grams":5}weigh\n' });
  });

  test('never take the place of others, and are replaced when they are discovered again [T2]', async () => {
    const registry = registryOf();
    registry.registerTool(echo);
    declare({ name: 'echo' }, { name: 'say' }, weigh);
    await registry.discoverTools();
    expect(registry.getAllToolNames()).toEqual([
      'echo',
      'discovered_tool_echo',
      'discovered_tool_say',
      'weigh',
    ]);
    expect(registry.getTool('echo')).toBe(echo);
    declare(weigh, { name: 'measure' });
    await registry.discoverTools();
    expect(registry.getAllToolNames()).toEqual(['echo', 'weigh', 'measure']);
  });

  test('stay as they were when the command fails, which is reported in words [T2]', async () => {
    declare(weigh);
    const registry = registryOf();
    await registry.discoverTools();
    writeFileSync(join(project, 'tools.json'), 'oops');
    await expect(registry.discoverTools()).rejects.toThrow(
      'The tool discovery command "cat tools.json" did not print JSON. It printed: oops',
    );
    expect(registry.getAllToolNames()).toEqual(['weigh']);
  });

  test('are none without a command, and useless without one that calls them [T2]', async () => {
    expect(await new ToolRegistry().discoverTools()).toEqual([]);
    const registry = new ToolRegistry(new Config({ targetDir: project, toolDiscoveryCommand: 'true' }));
    await expect(registry.discoverTools()).rejects.toThrow('toolCallCommand is not');
  });
});

const shipping = (name: string): Tool => ({
  name,
  displayName: name,
  description: '',
  kind: 'other',
  inputSchema: { type: 'object' },
  canUpdateOutput: false,
  aliases: [{ name: 'ship', when: (args) => 'now' in args === (name === 'ship_now') }],
  check: (args) => ({ ok: true, args }),
  plan: () => ({ title: name, resources: [], repeat: 'safe' }),
  run: async () => ({ llmContent: 'done', returnDisplay: 'done' }),
});

test('a rule by an alias of a registered tool holds for every tool that shares it [E2] [P2] [T3]', async () => {
  const policyEngine = new PolicyEngine({ rules: [{ toolName: 'ship', decision: 'deny' }] });
  const config = new Config({ approvalMode: 'yolo', policyEngine });
  const registry = new ToolRegistry(config);
  for (const name of ['ship_now', 'ship_later']) registry.registerTool(shipping(name));
  const typeOf = async (name: string, args: JsonObject, callId: string) =>
    (await executeToolCall(config, { callId, name, args, isClientInitiated: false, prompt_id: '' }, registry))
      .errorType;
  const types = [
    await typeOf('ship', {}, 'a'),
    await typeOf('ship', { now: true }, 'b'),
    await typeOf('ship_later', {}, 'c'),
  ];
  expect(types).toEqual(['policy_violation', 'policy_violation', 'policy_violation']);
  expect(registry.getFunctionDeclarations()).toEqual([]);
});
