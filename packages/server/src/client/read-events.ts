/** One event of a stream. `id` is omitted for what is shown only while it happens. */
export type ServerEvent = { readonly event: string; readonly data: unknown; readonly id?: string };

/** The events of a response, as they arrive. A partial event at the end is dropped. */
export async function* readEvents(response: Response, signal: AbortSignal): AsyncGenerator<ServerEvent> {
  if (!response.body) return;
  const reader = response.body.getReader();
  const decoder = new TextDecoder();
  let text = '';
  try {
    for (;;) {
      const read: { readonly done: boolean; readonly value?: unknown } = await reader.read();
      if (read.done || !(read.value instanceof Uint8Array)) return;
      text += decoder.decode(read.value, { stream: true });
      const frames = text.split('\n\n');
      text = frames.pop() ?? '';
      for (const frame of frames) {
        const event = eventIn(frame);
        if (event) yield event;
      }
    }
  } catch (thrown) {
    // A broken connection is an ordinary end: the reader has the last id.
    if (!signal.aborted && !(thrown instanceof TypeError)) throw thrown;
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

/** Null for a heartbeat. */
function eventIn(frame: string): ServerEvent | null {
  const fields = new Map(frame.split('\n').map((line) => cut(line, ': ')));
  const event = fields.get('event');
  const data = fields.get('data');
  const id = fields.get('id');
  if (event === undefined || data === undefined) return null;
  return { event, data: JSON.parse(data) as unknown, ...(id !== undefined && { id }) };
}

function cut(line: string, at: string): [string, string] {
  const index = line.indexOf(at);
  return index < 0 ? [line, ''] : [line.slice(0, index), line.slice(index + at.length)];
}
