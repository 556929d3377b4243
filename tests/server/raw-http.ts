import { request } from 'node:http';
import { connect } from 'node:net';

export type RawAnswer = {
  /** 0 if the connection was closed without one. */
  readonly status: number;
  readonly headers: { readonly [name: string]: string | string[] | undefined };
  readonly body: string;
};

export type RawRequest = {
  readonly port: number;
  readonly method: string;
  readonly path: string;
  readonly headers: { readonly [name: string]: string };
  readonly body?: string;
  /** Of a stream only the beginning is read. */
  readonly until?: 'headers' | 'end';
};

/** A request as it is written down: nothing is added, tidied or followed. */
export function send({ port, method, path, headers, body, until = 'end' }: RawRequest): Promise<RawAnswer> {
  return new Promise((resolve) => {
    const closed = () => resolve({ status: 0, headers: {}, body: '' });
    const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) };
    const sent = request(
      { host: '127.0.0.1', port, method, path, headers: { ...headers, ...length }, agent: false },
      (answer) => {
        const status = answer.statusCode ?? 0;
        if (until === 'headers' && status === 200) {
          resolve({ status, headers: answer.headers, body: '' });
          return void sent.destroy();
        }
        let text = '';
        answer.setEncoding('utf8');
        answer.on('data', (chunk: string) => {
          text += chunk;
        });
        const done = () => resolve({ status, headers: answer.headers, body: text });
        answer.on('end', done);
        answer.on('error', done);
      },
    );
    sent.on('error', closed);
    sent.end(body);
  });
}

/** Bytes on a connection, and what comes back until it is closed or nothing more comes for a while. */
export function sendBytes(port: number, bytes: string, quietMs = 500): Promise<string> {
  return new Promise((resolve) => {
    let text = '';
    const socket = connect(port, '127.0.0.1', () => socket.write(bytes));
    const done = () => {
      socket.destroy();
      resolve(text);
    };
    socket.setTimeout(quietMs, done);
    socket.on('data', (chunk) => {
      text += chunk.toString('latin1');
    });
    socket.on('close', done);
    socket.on('error', done);
  });
}

export const statusIn = (answer: string): number => Number(/^HTTP\/1\.1 (\d{3})/.exec(answer)?.[1] ?? 0);

/** One byte at a time, the last one over and over, until the server has had enough; returns the response. */
export function sendSlowly(port: number, bytes: string, everyMs: number, atMostMs: number): Promise<string> {
  return new Promise((resolve) => {
    let text = '';
    let sent = 0;
    const socket = connect(port, '127.0.0.1');
    const drip = setInterval(() => socket.write(bytes[sent++] ?? 'a'), everyMs);
    const done = (response: string) => {
      clearInterval(drip);
      clearTimeout(limit);
      socket.destroy();
      resolve(response);
    };
    const limit = setTimeout(() => done('still open'), atMostMs);
    socket.on('data', (chunk) => {
      text += chunk.toString('latin1');
    });
    socket.on('close', () => done(text === '' ? 'closed' : text));
    socket.on('error', () => done(text === '' ? 'closed' : text));
  });
}

/** A whole head, then the same drop over and over, until the server has had enough; returns the response. */
export function dripBehind(port: number, head: string, drop: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = '';
    const socket = connect(port, '127.0.0.1');
    socket.write(head);
    const drip = setInterval(() => socket.write(drop), DRIP_MS);
    const timeout = setTimeout(() => {
      socket.destroy();
      reject(new Error('the server still listens'));
    }, PATIENCE_MS);
    socket.on('data', (chunk) => {
      text += chunk.toString('latin1');
    });
    socket.on('error', () => {});
    socket.on('close', () => {
      clearInterval(drip);
      clearTimeout(timeout);
      resolve(text);
    });
  });
}

const DRIP_MS = 50;
const PATIENCE_MS = 10_000;
