import { testTool } from '@countersign/testkit';
import { expect, test } from 'vitest';
import type { CompletedToolCall } from '../types/call-types.js';
import { PerformanceTracker } from './performance-tracker.js';

const completed = (status: CompletedToolCall['status'], durationMs: number): CompletedToolCall => ({
  status,
  durationMs,
  request: { callId: 'c', name: 'look', args: {} },
  tool: testTool({ name: 'look' }),
  response: { callId: 'c', responseParts: [], resultDisplay: '', error: undefined, errorType: undefined },
});

const figures = ({ totalCalls, averageDuration, successRate }: PerformanceTracker) => ({
  totalCalls,
  averageDuration,
  successRate,
});

test('figures are right over batches of different sizes [E2]', () => {
  const tracker = new PerformanceTracker();
  tracker.record([completed('success', 100)]);
  tracker.record([completed('success', 0), completed('error', 20), completed('cancelled', 0)]);
  expect(figures(tracker)).toEqual({ totalCalls: 4, averageDuration: 30, successRate: 0.5 });
});

test('before the first call every figure is 0, not NaN', () => {
  const tracker = new PerformanceTracker();
  tracker.record([]);
  expect(figures(tracker)).toEqual({ totalCalls: 0, averageDuration: 0, successRate: 0 });
});

test('its handler works as a function of its own', () => {
  const tracker = new PerformanceTracker();
  const { handler } = tracker;
  handler([completed('error', 8)]);
  expect(figures(tracker)).toEqual({ totalCalls: 1, averageDuration: 8, successRate: 0 });
});
