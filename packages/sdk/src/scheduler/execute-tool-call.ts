import { Config } from '../config/config.js';
import type { ToolRegistry } from '../tools/tool-registry.js';
import type { ToolCallRequestInfo, ToolCallResponseInfo } from '../types/call-types.js';
import { Scheduler } from './core-tool-scheduler.js';

/**
 * Runs one call without any question: a call that policy would ask about is an error with that reason. Otherwise the whole
 * pipeline: validation, policy, records.
 *
 * @example
 * ```ts
 * const response = await executeToolCall(config, { callId: 'a', name: 'read_file', args: { file_path: 'a.txt' } }, registry);
 * show(response.resultDisplay);
 * ```
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
