// Rules that change while the program runs, and answers that come as messages.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  Config,
  MessageBus,
  PolicyDecision,
  PolicyEngine,
  registerBuiltInTools,
  Scheduler,
  ToolConfirmationOutcome,
  ToolRegistry,
} from 'countersign';

export async function main() {
  const workspace = await mkdtemp(join(tmpdir(), 'countersign-example-'));
  try {
    return await askByMessage(workspace);
  } finally {
    await rm(workspace, { recursive: true, force: true });
  }
}

async function askByMessage(workspace: string) {
  // #region messages
  const policyEngine = new PolicyEngine({ workspace });
  const messageBus = new MessageBus();
  const config = new Config({ targetDir: workspace, policyEngine, messageBus });

  const listening = new AbortController();
  const asked: string[] = [];
  messageBus.subscribe(
    'tool-confirmation-request',
    ({ correlationId, digest, toolCall, details }) => {
      asked.push(`${toolCall.id}: ${details.title}`);
      // Answers exactly like `onConfirm`; one with another digest is for an earlier question.
      messageBus.publish({
        type: 'tool-confirmation-response',
        correlationId,
        digest,
        outcome: ToolConfirmationOutcome.ProceedOnce,
      });
    },
    { signal: listening.signal },
  );
  // #endregion

  const registry = new ToolRegistry(config);
  registerBuiltInTools(registry, config);
  const scheduler = new Scheduler({ toolRegistry: registry, config });
  const write = (callId: string, file_path: string) => ({
    callId,
    name: 'write_file',
    args: { file_path, content: `${callId}\n` },
  });
  const offered = () => registry.getFunctionDeclarations().map(({ name }) => name);

  const [byMessage] = await scheduler.schedule(write('by-message', 'src/a.txt'));

  // #region rules
  await policyEngine.addRule({
    toolName: 'write_file',
    argsPattern: /"file_path":"src\//,
    decision: PolicyDecision.ALLOW,
    priority: 100,
  });
  const [byRule] = await scheduler.schedule(write('by-rule', 'src/b.txt')); // without a question

  await policyEngine.addRule({
    toolName: 'write_file',
    decision: PolicyDecision.DENY,
    priority: 200,
    denyMessage: 'Not on a Friday.',
  });
  const [denied] = await scheduler.schedule(write('denied', 'src/c.txt')); // nor here
  const { decision, reason, trace } = await policyEngine.explain({
    name: 'write_file',
    args: { file_path: 'src/c.txt', content: '' },
  });
  // #endregion
  const whileDenied = offered();
  policyEngine.removeRulesForTool('write_file');

  listening.abort();
  await scheduler.dispose();
  return {
    asked,
    calls: [byMessage, byRule, denied],
    explained: { decision, reason, rulesConsidered: trace.length },
    whileDenied,
    afterwards: offered(),
  };
}
