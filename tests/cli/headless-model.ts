import type { JsonObject } from '@countersign/protocol';
import { onTestFinished } from 'vitest';
import { asEvents, type Reply, streams, WireServer } from '../../packages/models/src/testing/wire-server.js';
import type { Line, Place, Ran, Running, RunOptions } from './program.js';

/** A model on the loopback that speaks Gemini's wire; it is gone with the test. */
export class FakeModel {
  readonly server: WireServer;

  private constructor(server: WireServer) {
    this.server = server;
  }

  static async start(...replies: readonly Reply[]): Promise<FakeModel> {
    const server = await WireServer.start(...replies);
    onTestFinished(() => server.stop());
    return new FakeModel(server);
  }

  get env(): { readonly [name: string]: string } {
    return { GEMINI_API_KEY: 'k', GOOGLE_GEMINI_BASE_URL: this.server.url };
  }

  /** What it was sent with the request of this number, counted from 0. */
  contents(request: number): readonly Content[] {
    return (this.server.received[request]?.body?.['contents'] ?? []) as unknown as readonly Content[];
  }

  /** The parts of the last message of a request. */
  lastParts = (request: number): readonly JsonObject[] => this.contents(request).at(-1)?.parts ?? [];

  run(place: Place, args: readonly string[], options: RunOptions = {}): Promise<Ran> {
    return place.run(args, { ...options, env: { ...this.env, ...options.env } });
  }

  start(place: Place, args: readonly string[], options: RunOptions = {}): Running {
    return place.start(args, { ...options, env: { ...this.env, ...options.env } });
  }
}

type Content = { readonly role: string; readonly parts: readonly JsonObject[] };

export const text = (words: string): JsonObject => ({ text: words });
export const call = (name: string, args: JsonObject, id?: string): JsonObject => ({
  functionCall: { ...(id !== undefined && { id }), name, args },
});

/** One answer of a Gemini model. */
export const says = (...parts: readonly JsonObject[]): Reply => ends('STOP', ...parts);
export const ends = (finishReason: string, ...parts: readonly JsonObject[]): Reply =>
  streams(asEvents([chunk(finishReason, parts)]));
export const chunk = (finishReason: string | null, parts: readonly JsonObject[]): JsonObject => ({
  candidates: [{ content: { role: 'model', parts }, ...(finishReason !== null && { finishReason }) }],
  usageMetadata: { promptTokenCount: 100, candidatesTokenCount: 10 },
});

/** A prompt and how it is to be told, with the options of a test after it. */
export const prompt = (words: string, ...more: string[]): string[] => ['-p', words, ...more];
export const streaming = (words: string, ...more: string[]): string[] =>
  prompt(words, '-o', 'stream-json', ...more);
export const overStdio = (words: string, ...more: string[]): string[] =>
  streaming(words, '--approvals', 'stdio', ...more);

export const resultOf = ({ lines }: Pick<Ran, 'lines'>): Line =>
  lines.find(({ type }) => type === 'result') ?? {};
export const ofType = ({ lines }: Pick<Ran, 'lines'>, type: string): readonly Line[] =>
  lines.filter((line) => line['type'] === type);
