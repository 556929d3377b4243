// A front end of one's own: a component that shows the calls of a session, asks for one, and hears how it ended.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Config, registerBuiltInTools, Scheduler, ToolRegistry } from 'countersign';
import { SessionStore, type TrackedToolCall, useToolScheduler } from 'countersign/react';
import { Box, render, renderToString, Text } from 'ink';
import { createElement, type ReactNode, useEffect } from 'react';

// #region react-component
type Props = { store: SessionStore; onDone: (calls: readonly TrackedToolCall[]) => void };

function Calls({ store, onDone }: Props): ReactNode {
  // Told once of each turn whose calls are all over, however often the component comes and goes.
  const [calls, schedule, markToolsAsSubmitted] = useToolScheduler(store, {
    onComplete: (completed) => {
      markToolsAsSubmitted(completed.map(({ request }) => request.callId));
      onDone(completed);
    },
  });
  const isEmpty = calls.length === 0;
  useEffect(() => {
    if (isEmpty) void schedule({ callId: 'a', name: 'read_file', args: { file_path: 'notes.txt' } });
  }, [isEmpty, schedule]);
  return createElement(
    Box,
    { flexDirection: 'column' },
    calls.map(({ request, status }) =>
      createElement(Text, { key: request.callId }, `${status.padEnd(10)} ${request.name}`),
    ),
  );
}
// #endregion

export async function main() {
  const workspace = await mkdtemp(join(tmpdir(), 'countersign-example-'));
  await writeFile(join(workspace, 'notes.txt'), 'remember the milk\n');
  const config = new Config({ targetDir: workspace });
  const toolRegistry = new ToolRegistry(config);
  registerBuiltInTools(toolRegistry, config);
  const scheduler = new Scheduler({ toolRegistry, config });
  const unmounted = new AbortController();
  try {
    // The store outlives the components that look at it.
    const store = new SessionStore(await scheduler.session());
    const following = store.follow(unmounted.signal);
    const told: (readonly TrackedToolCall[])[] = [];
    await new Promise<void>((resolve) => {
      const onDone: Props['onDone'] = (calls) => {
        told.push(calls);
        resolve();
      };
      const screen = render(createElement(Calls, { store, onDone }), { patchConsole: false });
      unmounted.signal.addEventListener('abort', () => screen.unmount(), { once: true });
    });
    unmounted.abort();
    await following;
    // Mounted once more it shows the same, and nobody is told again.
    const shown = renderToString(createElement(Calls, { store, onDone: (calls) => told.push(calls) }));
    const submitted = store.tracked.all.map(({ responseSubmittedToGemini }) => responseSubmittedToGemini);
    return { shown, submitted, told: told.map((calls) => calls.map(({ status }) => status)) };
  } finally {
    await scheduler.dispose();
    await rm(workspace, { recursive: true, force: true });
  }
}
