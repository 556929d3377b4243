/** What a client has not read yet may be this much, and one message more; then it is cut off, and resumes by its last id. */
const UNREAD_BYTES_MAX = 1_000_000;

/**
 * The body of an answer for a client that reads at its own pace. The transport puts into a stream whatever there is,
 * without asking whether the client reads it; here it is counted. `ended` is called once, however it ends.
 */
export function boundedBody(
  body: ReadableStream<Uint8Array>,
  ended: () => void,
  unreadBytesMax = UNREAD_BYTES_MAX,
): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  const passOn = async (controller: ReadableStreamDefaultController<Uint8Array>): Promise<void> => {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return controller.close();
      // Less than nothing is wanted: that much is waiting.
      if (-(controller.desiredSize ?? 0) > unreadBytesMax) throw new Error('the client is not reading');
      controller.enqueue(value);
    }
  };
  return new ReadableStream<Uint8Array>(
    {
      start: (controller) => {
        void passOn(controller)
          .catch(async (thrown: unknown) => {
            controller.error(thrown);
            await reader.cancel().catch(() => undefined);
          })
          .finally(ended);
      },
      cancel: (why) => reader.cancel(why),
    },
    { highWaterMark: 0, size: (chunk) => chunk?.byteLength ?? 0 },
  );
}
