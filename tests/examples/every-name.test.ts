import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { main } from '../../examples/every-name.js';
import { readDoors } from '../../scripts/docs/api-reference.mjs';
import { root } from '../../scripts/source/files.mjs';
import { importsIn, parseFile } from '../../scripts/source/syntax.mjs';

const FILE = 'examples/every-name.ts';

test('the program works that uses every name [E1, E2]', async () => {
  const { scheduled, scripted, wrapped, judged, byHand, turned, drawn, servers } = await main();
  expect(scheduled.ended).toEqual(['success', 'success', 'success']);
  expect(scheduled).toMatchObject({ late: { ok: false, type: 'unknown_call' }, left: 0 });
  expect(scripted).toMatchObject({
    outcome: { ended: 'script', texts: ['That is all.'] },
    over: undefined,
    lastHeard: 'update',
    statuses: { 'step-1-call-1': ['validating', 'scheduled', 'executing', 'success'] },
  });
  expect(wrapped).toMatchObject({ totalCalls: 1, successRate: 1 });
  expect(wrapped.records.at(-1)).toMatchObject({
    'event.timestamp': '1970-01-01T00:00:00.000Z',
    function_args: { file_path: '[redacted]' },
  });
  expect(judged).toMatchObject({
    checked: { decision: 'deny', reason: 'Full.' },
    response: { errorType: 'policy_violation' },
    refusal: expect.stringContaining('Messages cannot change the policy.'),
    mode: 'yolo',
  });
  expect(byHand).toMatchObject({
    problem: expect.stringContaining('"file_path" must be a string'),
    modified: { updatedParams: { content: 'as edited\n' } },
    isModifiable: true,
    retryable: true,
  });
  expect(turned).toMatchObject({
    heard: ['content', 'tool_call_request', 'finished'],
    asked: ['word_count'],
    finished: true,
    family: 'anthropic',
    tools: true,
    noModel: expect.stringContaining('needs a key'),
  });
  expect(drawn).toEqual({
    text: 'manual | no topic | idle notice: That was all. | word_count not submitted',
    aliases: [true, true],
  });
  expect(servers).toEqual({ blocked: [{ name: 'mine' }], isUsable: false, isStarted: false, tools: 0 });
});

test('it does use every name and type that the package exports [E1, E2]', () => {
  const imports = importsIn(parseFile(FILE));
  const text = readFileSync(join(root, FILE), 'utf8');
  for (const [entry, door] of Object.entries(readDoors())) {
    const named = new Set(
      imports.filter(({ specifier }) => specifier === entry).flatMap(({ names }) => names),
    );
    // What is also exported by `countersign` is imported from there.
    if (entry === 'countersign/compat') continue;
    expect([...door.keys()].filter((name) => !named.has(name))).toEqual([]);
    for (const name of door.keys()) {
      const uses = text.match(new RegExp(`\\b${name}\\b`, 'g'))?.length ?? 0;
      expect(uses, `${name} is imported and not used`).toBeGreaterThan(1);
    }
  }
});

test('the types and the modules of each entry export the same values [E2]', async () => {
  const { exported } = await main();
  for (const [entry, door] of Object.entries(readDoors())) {
    const values = [...door].filter(([, declarations]) => declarations.some(({ kind }) => kind !== 'type'));
    const found = new Map(Object.entries(exported)).get(entry);
    expect({ entry, names: found?.toSorted() }).toEqual({
      entry,
      names: values.map(([name]) => name).toSorted(),
    });
  }
});
