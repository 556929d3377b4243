import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { Config, type ConfigParameters } from '../config/config.js';
import { modifyWithEditor } from '../editor/modify-with-editor.js';
import { PolicyEngine } from '../policy/policy-engine.js';
import { Scheduler } from '../scheduler/core-tool-scheduler.js';
import { executeToolCall } from '../scheduler/execute-tool-call.js';
import { isModifiableTool } from '../tools/modifiable-tool.js';
import { temporaryWorkspace } from '../tools/testing/session.js';
import { ToolRegistry } from '../tools/tool-registry.js';
import type { BuiltInToolName } from '../types/built-in-types.js';
import { ToolConfirmationOutcome } from '../types/enums.js';
import { registerBuiltInTools } from './built-in.js';

const signal = new AbortController().signal;

let place: ReturnType<typeof temporaryWorkspace>;
beforeEach(() => {
  place = temporaryWorkspace();
});
afterEach(() => {
  vi.unstubAllEnvs();
  place.remove();
});

const path = (name: string) => join(place.workspace, name);

function registered(parameters: ConfigParameters = {}) {
  const config = new Config({ targetDir: place.workspace, userDirectory: path('user'), ...parameters });
  const registry = new ToolRegistry(config);
  registerBuiltInTools(registry, config);
  const tool = (name: BuiltInToolName) => {
    const found = registry.getTool(name);
    if (!found) throw new Error(`${name} is not registered`);
    return found;
  };
  return { config, registry, tool };
}

describe('the tools of a user are built in [E2]', () => {
  test('they are registered, declared to models, and known to policy', async () => {
    const { config, registry } = registered();
    const names = ['save_memory', 'activate_skill', 'google_web_search'];
    expect(registry.getAllToolNames()).toEqual(expect.arrayContaining(names));
    expect(registry.getFunctionDeclarations().map(({ name }) => name)).toEqual(expect.arrayContaining(names));
    const call = { name: 'save_memory', args: { fact: 'Tabs.' } };
    expect(await config.getPolicyEngine().check(call)).toMatchObject({ decision: 'ask_user' });
  });

  test('save_memory writes into the directory of the configuration, once it was approved', async () => {
    const { config, registry } = registered();
    const scheduler = new Scheduler({
      toolRegistry: registry,
      config,
      confirmHandler: async () => ToolConfirmationOutcome.ProceedOnce,
    });
    await scheduler.schedule({ callId: 'a', name: 'save_memory', args: { fact: 'The user likes tabs.' } });
    await scheduler.dispose();
    expect(readFileSync(path('user/GEMINI.md'), 'utf8')).toContain('The user likes tabs.');
  });

  test('activate_skill finds skills of the user, and those of the workspace only if it is trusted', async () => {
    const skill = (directory: string, name: string) => {
      mkdirSync(path(`${directory}/skills/${name}`), { recursive: true });
      const text = `---\nname: ${name}\ndescription: Does ${name}.\n---\nInstructions of ${name}.\n`;
      writeFileSync(path(`${directory}/skills/${name}/SKILL.md`), text);
    };
    skill('user', 'mine');
    skill('.gemini', 'brought');
    const activate = async (name: string, trustedFolder?: boolean) =>
      (await registered({ trustedFolder }).tool('activate_skill').execute({ name }, signal)).llmContent;
    expect(await activate('mine')).toContain('Instructions of mine.');
    expect(await activate('brought')).not.toContain('Instructions of brought.');
    expect(await activate('brought', true)).toContain('Instructions of brought.');
  });

  test('google_web_search without a service says what to set, and asks nobody', async () => {
    for (const name of ['GEMINI_API_KEY', 'GOOGLE_API_KEY', 'COUNTERSIGN_SEARXNG_URL']) vi.stubEnv(name, '');
    const { tool } = registered();
    const invocation = tool('google_web_search').build({ query: 'weather' });
    expect(await invocation.shouldConfirmExecute(signal)).toBe(false);
    expect((await invocation.execute(signal)).error?.message).toContain('GEMINI_API_KEY');
  });
});

describe('a built-in tool has the shape of Gemini CLI [E2]', () => {
  test('every tool: schema, parameters that are checked, build that throws with the reason', () => {
    const { registry, tool } = registered();
    for (const each of registry.getAllTools()) {
      expect(each).toMatchObject({ build: expect.any(Function), execute: expect.any(Function) });
      expect(each).toHaveProperty('schema.name', each.name);
      expect(each).toHaveProperty('schema.parametersJsonSchema.type', 'object');
    }
    expect(tool('read_file').validateToolParams({ file_path: 'a.txt' })).toBeNull();
    expect(tool('read_file').validateToolParams({ file_path: 1 })).toContain('file_path');
    expect(() => tool('read_file').build({})).toThrow('file_path');
  });

  test('build gives an invocation with its parameters, description, locations and result', async () => {
    writeFileSync(path('a.txt'), 'hello\n');
    const invocation = registered().tool('read_file').build({ file_path: 'a.txt' });
    expect(invocation.params).toEqual({ file_path: 'a.txt' });
    expect(invocation.getDescription()).toContain('a.txt');
    expect(invocation.toolLocations()).toEqual([{ path: path('a.txt') }]);
    expect(await invocation.shouldConfirmExecute(signal)).toBe(false);
    expect(await invocation.execute(signal)).toMatchObject({ llmContent: expect.stringContaining('hello') });
  });

  test('a failure is a result with its type', async () => {
    const result = await registered().tool('read_file').build({ file_path: 'gone.txt' }).execute(signal);
    expect(result.error).toMatchObject({
      type: 'file_not_found',
      message: expect.stringContaining('gone.txt'),
    });
  });

  test('shouldConfirmExecute shows the change, and execute carries out exactly that', async () => {
    const { tool } = registered();
    const invocation = tool('write_file').build({ file_path: 'a.txt', content: 'new\n' });
    const details = await invocation.shouldConfirmExecute(signal);
    expect(details).toMatchObject({ type: 'edit', originalContent: null, newContent: 'new\n' });
    if (details) await details.onConfirm?.(ToolConfirmationOutcome.ProceedOnce);
    expect(await invocation.execute(signal)).not.toHaveProperty('error');
    expect(readFileSync(path('a.txt'), 'utf8')).toBe('new\n');
  });

  test('a no, and a file that changed after it was shown, leave everything as it was', async () => {
    const { tool } = registered();
    const declined = tool('write_file').build({ file_path: 'a.txt', content: 'new\n' });
    const details = await declined.shouldConfirmExecute(signal);
    if (details) await details.onConfirm?.(ToolConfirmationOutcome.Cancel);
    expect((await declined.execute(signal)).error).toBeDefined();
    expect(existsSync(path('a.txt'))).toBe(false);

    const shown = tool('write_file').build({ file_path: 'a.txt', content: 'new\n' });
    const asked = await shown.shouldConfirmExecute(signal);
    if (asked) await asked.onConfirm?.(ToolConfirmationOutcome.ProceedOnce);
    writeFileSync(path('a.txt'), 'of somebody else\n');
    expect((await shown.execute(signal)).error).toBeDefined();
    expect(readFileSync(path('a.txt'), 'utf8')).toBe('of somebody else\n');
  });

  test('what policy denies is not executed', async () => {
    const policyEngine = new PolicyEngine({ rules: [{ toolName: 'write_file', decision: 'deny' }] });
    const { tool } = registered({ policyEngine });
    const invocation = tool('write_file').build({ file_path: 'a.txt', content: 'x' });
    await expect(invocation.shouldConfirmExecute(signal)).rejects.toThrow('denie');
    expect((await invocation.execute(signal)).error?.type).toBe('policy_violation');
    expect(existsSync(path('a.txt'))).toBe(false);
  });

  test('a question to a person is not answered by the program that executes it', async () => {
    const questions = [{ question: 'Which?', header: 'Which', type: 'text' }];
    const { tool } = registered();
    expect((await tool('ask_user').execute({ questions }, signal)).error).toBeDefined();
    const invocation = tool('ask_user').build({ questions });
    const details = await invocation.shouldConfirmExecute(signal);
    if (details)
      await details.onConfirm?.(ToolConfirmationOutcome.ProceedOnce, { answers: { 0: 'That one' } });
    expect((await invocation.execute(signal)).llmContent).toContain('That one');
  });

  test('live output and an abort reach the program', async () => {
    const outputs: string[] = [];
    const { tool } = registered();
    const args = { command: 'echo begun; sleep 30' };
    const abort = new AbortController();
    const running = tool('run_shell_command').execute(args, abort.signal, (text) => {
      outputs.push(text);
      abort.abort();
    });
    expect((await running).error).toBeDefined();
    expect(outputs.join('')).toContain('begun');
  });

  test('the tools that write a file are modifiable, the others are not', async () => {
    const { registry, tool } = registered();
    const modifiable = registry.getAllTools().filter(isModifiableTool);
    expect(modifiable.map(({ name }) => name)).toEqual(['write_file', 'replace']);
    writeFileSync(path('a.txt'), 'one\ntwo\n');
    const replace = tool('replace');
    if (!isModifiableTool(replace)) throw new Error('replace is not modifiable');
    const params = { file_path: 'a.txt', old_string: 'two', new_string: 'three' };
    const { updatedParams } = await modifyWithEditor(
      params,
      replace.getModifyContext(signal),
      undefined,
      signal,
      {
        ...process.env,
        VISUAL: 'printf "one\\nfour\\n" >',
      },
    );
    await replace.execute(updatedParams, signal);
    expect(readFileSync(path('a.txt'), 'utf8')).toBe('one\nfour\n');
  });
});

test('executeToolCall runs the hooks of its configuration [H1]', async () => {
  const command = { type: 'command', command: 'echo never >&2; exit 2' } as const;
  const { config, registry } = registered({ hooks: { BeforeTool: [{ hooks: [command] }] } });
  const request = { callId: 'a', name: 'list_directory', args: { dir_path: '.' } };
  expect((await executeToolCall(config, request, registry)).error?.message).toContain('never');
});
