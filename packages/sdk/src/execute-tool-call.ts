import { Config } from './config.js';
import type { ToolCallRequestInfo, ToolCallResponseInfo } from './scheduler/call-types.js';
import { Scheduler } from './scheduler/core-tool-scheduler.js';
import type { ToolRegistry } from './tool-registry.js';

/**
 * Run one call without any questions: what policy would ask about is an error
 * that says so. The whole pipeline otherwise: validation, policy, records.
 */
export async function executeToolCall(
  config: Config,
  request: ToolCallRequestInfo,
  toolRegistry: ToolRegistry,
  signal?: AbortSignal,
): Promise<ToolCallResponseInfo> {
  const unattended = new Config({
    approvalMode: config.getApprovalMode(),
    targetDir: config.getTargetDir(),
    policyEngine: config.getPolicyEngine(),
    messageBus: config.getMessageBus(),
    interactive: false,
    ...(config.onToolCallRecord && { onToolCallRecord: config.onToolCallRecord }),
  });
  const scheduler = new Scheduler({ toolRegistry, config: unattended });
  try {
    const [call] = await scheduler.schedule(request, signal);
    if (!call) throw new Error('The call was not run: the scheduler was closed.');
    return call.response;
  } finally {
    await scheduler.dispose();
  }
}
