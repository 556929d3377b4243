import { FAILURE_SAMPLES } from '@countersign/protocol';
import { parseEvent } from '@countersign/protocol/schemas';
import { expect, test } from 'vitest';
import { everyEvent, failed } from './journal-examples.js';

const parsed = (value: unknown) => parseEvent(JSON.parse(JSON.stringify(value)));

test('every event is read as what it was [J1]', () => {
  for (const event of everyEvent) expect(parsed(event)).toEqual({ ok: true, event });
});

test('a field that is missing or of another type is found, and named', () => {
  const overlooked: string[] = [];
  for (const event of everyEvent) {
    for (const field of Object.keys(event).filter((key) => key !== 'type')) {
      const without = parsed({ ...event, [field]: undefined });
      if (without.ok || !without.problem.includes(field)) overlooked.push(`${event.type} without ${field}`);
      if (parsed({ ...event, [field]: ['else'] }).ok) overlooked.push(`${event.type} with a wrong ${field}`);
    }
  }
  expect(overlooked).toEqual([]);
});

test('what a newer program added to an event is kept', () => {
  const event = { ...failed('c'), colour: { deep: [1] } };
  expect(parsed(event)).toEqual({ ok: true, event });
});

test('an event that only a newer program knows says so', () => {
  for (const type of ['call.dreamt', 'constructor', '__proto__']) {
    expect(parseEvent(JSON.parse(`{"type":"${type}"}`))).toEqual({
      ok: false,
      problem: expect.stringContaining('too old'),
    });
  }
  for (const value of [null, 7, 'text', [], {}, { type: 3 }]) {
    expect(parsed(value)).toEqual({ ok: false, problem: 'it has no type' });
  }
});

test('every failure we know is read, and none with a part missing', () => {
  const overlooked: string[] = [];
  for (const failure of Object.values(FAILURE_SAMPLES)) {
    const event = { ...failed('c'), failure };
    expect(parsed(event)).toEqual({ ok: true, event });
    for (const field of Object.keys(failure)) {
      if (parsed({ ...event, failure: { ...failure, [field]: undefined } }).ok) {
        overlooked.push(`${failure.code} without ${field}`);
      }
    }
  }
  expect(overlooked).toEqual([]);
});
