import { expect, test } from 'vitest';
import { MessageBus } from '../config/message-bus.js';
import { type ApprovalMode, Kind } from '../types/enums.js';
import type { ForcedDecision, ToolResult } from '../types/tool-types.js';
import { BaseDeclarativeTool } from './base-declarative-tool.js';
import { BaseToolInvocation } from './base-tool-invocation.js';
import { bindInvocation } from './invocation-context.js';

type Params = { readonly target: string; readonly dry?: boolean };

class DeployInvocation extends BaseToolInvocation<Params, ToolResult> {
  getDescription(): string {
    return `Deploy to ${this.params.target}`;
  }
  async execute(_signal: AbortSignal, updateOutput?: (text: string) => void): Promise<ToolResult> {
    if (this.params.target === 'nowhere') throw new Error('there is no such place');
    updateOutput?.('on the way');
    return { llmContent: `deployed to ${this.params.target}`, returnDisplay: 'done' };
  }
}
class EditInvocation extends DeployInvocation {
  override readonly respectsAutoEdit = true;
}

class Deploy extends BaseDeclarativeTool<Params, ToolResult> {
  constructor(messageBus?: MessageBus) {
    const schema = {
      type: 'OBJECT',
      properties: { target: { type: 'STRING' }, dry: { type: 'boolean' } },
      required: ['target'],
    };
    super('deploy', 'Deploy', 'Deploy to a target.', Kind.Execute, schema, false, true, messageBus);
  }
  protected override validateToolParamValues({ target }: Params): string | null {
    return target === '' ? '"target" must not be empty' : null;
  }
  protected createInvocation(params: Params, messageBus?: MessageBus): DeployInvocation {
    return new DeployInvocation(params, messageBus, 'deploy', 'Deploy');
  }
}

const signal = new AbortController().signal;
/** What JavaScript may pass, whatever the types say. */
const asPassed = (text: string): Params => JSON.parse(text);

test('a class-style tool is declared by the arguments of its constructor [E2]', () => {
  const deploy = new Deploy();
  expect(deploy).toMatchObject({
    name: 'deploy',
    displayName: 'Deploy',
    kind: 'execute',
    isOutputMarkdown: false,
    canUpdateOutput: true,
  });
  expect(deploy.schema).toEqual({
    name: 'deploy',
    description: 'Deploy to a target.',
    parametersJsonSchema: {
      type: 'object',
      properties: { target: { type: 'string' }, dry: { type: 'boolean' } },
      required: ['target'],
    },
  });
  expect(deploy.getSchema('any-model')).toEqual(deploy.schema);
});

test('output is Markdown and not updated by default [E2]', () => {
  class Plain extends Deploy {}
  class Bare extends BaseDeclarativeTool<Params, ToolResult> {
    constructor() {
      super('bare', 'Bare', 'Bare.', Kind.Read, {});
    }
    protected createInvocation(params: Params): DeployInvocation {
      return new DeployInvocation(params);
    }
  }
  expect(new Bare()).toMatchObject({ isOutputMarkdown: true, canUpdateOutput: false });
  expect(new Plain()).toMatchObject({ isOutputMarkdown: false, canUpdateOutput: true });
});

test('build gives an invocation with the parameters and the bus, or throws with the reason [E2]', () => {
  const bus = new MessageBus();
  const deploy = new Deploy(bus);
  const invocation = deploy.build({ target: 'eu' });
  expect(invocation.params).toEqual({ target: 'eu' });
  expect(invocation).toBeInstanceOf(DeployInvocation);
  expect(invocation).toMatchObject({ messageBus: bus, respectsAutoEdit: false });
  expect(deploy.validate({ target: 'eu' }).getDescription()).toBe('Deploy to eu');
  expect(() => deploy.build(asPassed('{}'))).toThrow('"target" is required (string)');
  expect(() => deploy.validate(asPassed('{"target":3}'))).toThrow('"target" must be a string, not 3');
  expect(() => deploy.build({ target: '' })).toThrow('"target" must not be empty');
  expect(deploy.validateToolParams({ target: 'eu', dry: true })).toBeNull();
});

test('a tool can be run directly, with failures thrown or as results [E2]', async () => {
  const deploy = new Deploy();
  const updates: string[] = [];
  const done = { llmContent: 'deployed to eu', returnDisplay: 'done' };
  expect(await deploy.buildAndExecute({ target: 'eu' }, signal, (text) => updates.push(text))).toEqual(done);
  expect(updates).toEqual(['on the way']);
  await expect(deploy.buildAndExecute({ target: '' }, signal)).rejects.toThrow('must not be empty');

  expect(await deploy.validateBuildAndExecute({ target: 'eu' }, signal)).toEqual(done);
  expect(await deploy.validateBuildAndExecute(asPassed('{}'), signal)).toMatchObject({
    error: {
      type: 'invalid_tool_params',
      message: 'Invalid arguments for deploy: "target" is required (string).',
    },
  });
  expect(await deploy.validateBuildAndExecute({ target: 'nowhere' }, signal)).toEqual({
    llmContent: 'there is no such place',
    returnDisplay: 'there is no such place',
    error: { message: 'there is no such place', type: 'execution_failed' },
  });
});

const bound = (invocation: DeployInvocation, mode: ApprovalMode, decision: ForcedDecision) => {
  bindInvocation(invocation, { approvalMode: () => mode, decide: async () => decision });
  return invocation;
};

test('the default shouldConfirmExecute follows mode and policy [E2]', async () => {
  const deploy = () => new DeployInvocation({ target: 'eu' });
  const edit = () => new EditInvocation({ target: 'eu' });
  const details = { type: 'info', prompt: 'Deploy to eu' };
  expect(await bound(deploy(), 'manual', 'allow').shouldConfirmExecute(signal)).toBe(false);
  expect(await bound(deploy(), 'manual', 'ask_user').shouldConfirmExecute(signal)).toMatchObject(details);
  await expect(bound(deploy(), 'manual', 'deny').shouldConfirmExecute(signal)).rejects.toThrow(
    'Policy denies this call',
  );
  expect(await bound(edit(), 'auto_edit', 'ask_user').shouldConfirmExecute(signal)).toBe(false);
  expect(await bound(deploy(), 'auto_edit', 'ask_user').shouldConfirmExecute(signal)).toMatchObject(details);
  expect(await bound(edit(), 'manual', 'ask_user').shouldConfirmExecute(signal)).toMatchObject(details);
  // When policy asks it wants the details, whatever the tool would have said.
  expect(await bound(edit(), 'auto_edit', 'allow').shouldConfirmExecute(signal, 'ask_user')).toMatchObject(
    details,
  );
  expect(await bound(deploy(), 'manual', 'ask_user').shouldConfirmExecute(signal, 'allow')).toBe(false);
});

test('an invocation without a session is in manual mode and asks [E2]', async () => {
  const invocation = new DeployInvocation({ target: 'eu' }, undefined, 'deploy', 'Deploy');
  expect(invocation.getApprovalMode()).toBe('manual');
  expect(await invocation.shouldConfirmExecute(signal)).toEqual({
    type: 'info',
    title: 'Confirm: Deploy',
    prompt: 'Deploy to eu',
  });
  expect(invocation.toolLocations()).toEqual([]);
  expect(invocation.getPolicyUpdateOptions('proceed_always')).toBeUndefined();
});

test('an invocation may be given a function for its mode [E2]', () => {
  class WithMode extends DeployInvocation {
    constructor(params: Params) {
      super(params, undefined, 'deploy', 'Deploy', undefined, undefined, true, () => 'auto_edit');
    }
  }
  const invocation = new WithMode({ target: 'eu' });
  expect([invocation.getApprovalMode(), invocation.respectsAutoEdit]).toEqual(['auto_edit', true]);
});
