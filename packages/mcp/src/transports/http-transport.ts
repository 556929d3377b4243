import { type JSONRPCMessage, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { unusableAnswer } from './read-message.js';

type SendOptions = Parameters<StreamableHTTPClientTransport['send']>[1];

/** Streamable HTTP, where a stream that ends without the answer fails the request instead of leaving it to wait. */
export class HttpTransport extends StreamableHTTPClientTransport {
  override send(message: JSONRPCMessage | JSONRPCMessage[], options?: SendOptions): Promise<void> {
    if (Array.isArray(message) || !('method' in message) || !('id' in message))
      return super.send(message, options);
    const { id } = message;
    const onRequestStreamEnd = () =>
      this.onmessage?.(unusableAnswer(id, 'the connection was lost before its answer had come'));
    return super.send(message, { ...options, onRequestStreamEnd });
  }
}
