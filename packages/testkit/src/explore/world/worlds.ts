import { HOOK_WORLDS } from './hook-worlds.js';
import { batch, call, editsGrant, type World, world } from './world.js';

/** Small worlds, each with a question of its own; the smallest first, since most faults show in those. */
export const WORLDS: readonly World[] = [
  ...HOOK_WORLDS,
  world(
    'a queue of batches',
    [batch([call('A write f')]), batch([call('A read f'), call('A read g', { broken: true })]), batch([])],
    { epochsMax: 2, happens: { cancels: ['call', 'turn', 'all'], plans: ['fails'] } },
  ),
  world(
    'nobody to ask',
    [batch([call('A write f'), call('B read f')], { attended: false }), batch([call('C write f')])],
    { happens: { cancels: ['all'], modes: ['manual', 'yolo'] } },
  ),
  world('one use, decided upon in one go', [batch([call('A write f'), call('B write g')])], {
    commit: 'many',
    grants: [editsGrant('single', { uses: 1 })],
    happens: { revokes: ['here'] },
  }),
  world('two grants, one of which expires', [batch([call('A write f'), call('B write f')])], {
    grants: [editsGrant('brief', { expiresAt: 2_000 }), editsGrant('spare', { uses: 1, expiresAt: 1_500 })],
    happens: { times: [1_000, 3_000], revokes: ['here'] },
  }),
  world('a safe write and an unsafe one', [batch([call('A put f'), call('B write f')])], {
    mode: 'yolo',
    epochsMax: 3,
    happens: { runs: ['fails', 'fails for now'], cancels: ['call', 'turn'] },
  }),
  world('taken up under other rules', [batch([call('A put f'), call('B put f')])], {
    epochsMax: 2,
    happens: { policies: ['usual', 'strict'], modes: ['manual', 'confirm_always'], cancels: ['call'] },
  }),
  world('a grant, taken up under other rules', [batch([call('A write f'), call('B write f')])], {
    epochsMax: 2,
    grants: [editsGrant('single', { uses: 2 })],
    happens: { policies: ['usual', 'strict'], modes: ['manual', 'confirm_always'], revokes: ['elsewhere'] },
  }),
  world('commands that go on without us', [batch([call('A spawn x'), call('B build y')])], {
    epochsMax: 3,
    happens: { runs: ['fails', 'fails for now'], cancels: ['call', 'all'] },
  }),
  world('one call under changing modes and rules', [batch([call('A write f')])], {
    happens: {
      modes: ['manual', 'yolo', 'plan', 'confirm_always'],
      policies: ['usual', 'strict'],
      answers: ['proceed_once', 'proceed_always'],
      looks: ['skipped', 'changed'],
      edits: ['g'],
      rewrites: ['f', ''],
    },
  }),
  world('two writes of one file', [batch([call('A write f'), call('B write f')])], {
    epochsMax: 2,
    happens: { cancels: ['call', 'all'], runs: ['fails'], looks: ['changed'], plans: ['fails'] },
  }),
  world('one call and everything that can be said to it', [batch([call('A write f')])], {
    epochsMax: 2,
    happens: {
      plans: ['fails', 'changed'],
      looks: ['skipped', 'changed', 'moved', 'fails', 'too late', 'tool objects'],
      runs: ['fails', 'fails for now'],
      answers: ['proceed_once', 'proceed_always', 'proceed_always_and_save'],
      uses: [null, 1],
      badUses: true,
      keys: ['k1', null],
      edits: ['g', 'f!'],
      rewrites: ['g', 'f!', 'f', ''],
      cancels: ['call', 'turn', 'all'],
      revokes: ['here'],
      plansMax: 3,
    },
  }),
  world(
    'together: two asked beside an allowed one',
    [batch([call('A write f'), call('B put f'), call('C run x')], { start: 'together' })],
    { happens: { cancels: ['call'], runs: ['fails'] } },
  ),
  world(
    'unknown effects, one at a time',
    [batch([call('A build x'), call('B put f'), call('C read g'), call('D build y')])],
    { runningMax: 1, happens: { runs: ['fails'] } },
  ),
  world('unknown effects, two at a time', [batch([call('A build x'), call('B put f'), call('C list /')])], {
    epochsMax: 2,
    happens: { cancels: ['call'], plans: ['fails'] },
  }),
  world(
    'a read of something unnamed between writes',
    [batch([call('A put f'), call('B peek x'), call('C peek y'), call('D put g')])],
    { runningMax: 3 },
  ),
  world('reading and writing one host', [batch([call('A fetch h'), call('B post h'), call('C fetch h')])], {
    happens: { answers: ['proceed_once', 'proceed_always'], runs: ['fails for now'] },
  }),
  world(
    'a write, a read of it and a listing, tried again',
    [batch([call('A put f'), call('B read f'), call('C list /')])],
    { epochsMax: 3, happens: { runs: ['fails', 'fails for now'] } },
  ),
  world('an always beside an edit', [batch([call('A write f'), call('B write g')])], {
    happens: { answers: ['proceed_once', 'proceed_always'], edits: ['h'] },
  }),
  world(
    'an always, and a second batch',
    [batch([call('A write f'), call('B write g')]), batch([call('A write f')])],
    {
      happens: {
        answers: ['proceed_once', 'proceed_always'],
        uses: [1],
        modes: ['manual', 'confirm_always'],
        revokes: ['here', 'elsewhere'],
      },
    },
  ),
  world(
    'a grant and nobody to ask',
    [batch([call('A write f'), call('B write f'), call('C run x')], { attended: false })],
    {
      epochsMax: 2,
      grants: [editsGrant('standing')],
      happens: {
        revokes: ['here', 'elsewhere'],
        cancels: ['turn'],
        modes: ['manual', 'confirm_always', 'plan'],
      },
    },
  ),
  world('plans that move', [batch([call('A write f'), call('B put m'), call('C write f')])], {
    happens: { plans: ['moved'], looks: ['moved'] },
  }),
  world(
    'together: one asked, one allowed, one denied',
    [batch([call('A write f'), call('B read g'), call('C rm h')], { start: 'together' })],
    { epochsMax: 2, happens: { cancels: ['call', 'turn'], runs: ['fails'], plans: ['fails'], edits: ['g'] } },
  ),
  world('a write and a read under changing modes', [batch([call('A write f'), call('B read f')])], {
    happens: { modes: ['manual', 'yolo', 'plan', 'confirm_always'], edits: ['g'] },
  }),
  world(
    'waiting for all before',
    [
      batch([
        call('A read f'),
        call('B think x', { waitForPrevious: true }),
        call('C write g'),
        call('D think y', { waitForPrevious: true }),
      ]),
    ],
    { happens: { cancels: ['call'] } },
  ),
  world('an always that covers others', [batch([call('A write f'), call('B write g'), call('C write h')])], {
    commit: 'many',
    happens: { answers: ['proceed_once', 'proceed_always'], uses: [1], revokes: ['here'] },
  }),
  world('one use for three calls', [batch([call('A write f'), call('B write f'), call('C write g')])], {
    commit: 'many',
    runningMax: 1,
    grants: [editsGrant('single', { uses: 1 })],
    happens: { revokes: ['here'], cancels: ['turn'] },
  }),
  world(
    'edits that reach what others touch',
    [batch([call('A write f'), call('B write f'), call('C write g')])],
    {
      happens: { edits: ['fg'], rewrites: ['f'] },
    },
  ),
  world(
    'calls that come while their model speaks',
    [batch([call('A write f'), call('B put f'), call('C read g', { broken: true })], { comes: 'streamed' })],
    {
      epochsMax: 2,
      happens: {
        plans: ['fails'],
        advice: ['deny'],
        cancels: ['call', 'turn'],
        modes: ['manual', 'plan'],
        talk: ['said', 'compressed', 'masked'],
      },
    },
  ),
  world('what hooks say of a call', [batch([call('A write f')])], {
    grants: [editsGrant('standing')],
    happens: {
      advice: ['allow', 'ask', 'deny'],
      hookRewrites: ['g', 'f!', 'k'],
      answers: ['proceed_once', 'proceed_always'],
      rewrites: ['f'],
      edits: ['g'],
      looks: ['changed'],
      plans: ['fails'],
      modes: ['manual', 'confirm_always', 'plan'],
      policies: ['usual', 'strict'],
      plansMax: 2,
    },
  }),
  world('a run that the sandbox stops', [batch([call('A run x')])], {
    epochsMax: 3,
    hooksAfter: ['run'],
    happens: {
      runs: ['fails', 'fails for now', 'blocked', 'blocked, moved', 'blocked, unplanned'],
      looks: ['skipped', 'changed', 'fails', 'too late', 'tool objects'],
      cancels: ['call', 'all'],
      policies: ['usual', 'strict'],
      modes: ['manual', 'yolo'],
      edits: ['y'],
      rewrites: ['x!', 'x'],
      replacements: ['bad'],
      plansMax: 2,
    },
  }),
  world('the sandbox stops one of three', [batch([call('A put f'), call('B write f'), call('C put m')])], {
    happens: { runs: ['blocked', 'blocked, moved'], answers: ['proceed_once', 'proceed_always'] },
  }),
  world(
    'together, and the sandbox stops some',
    [batch([call('A build x'), call('B put f'), call('C write g')], { start: 'together' })],
    { runningMax: 1, happens: { runs: ['blocked'], cancels: ['call'] } },
  ),
  world('what hooks make of a result', [batch([call('A write f'), call('B put f')])], {
    epochsMax: 3,
    hooksAfter: ['write', 'put'],
    happens: {
      runs: ['fails', 'fails for now'],
      cancels: ['call', 'all'],
      replacements: ['good', 'bad'],
    },
  }),
];

/** Wider ones, where the same things meet in more ways. They take about as long again. */
export const WIDE_WORLDS: readonly World[] = [
  world(
    'four calls, half of them asked',
    [batch([call('A write f'), call('B read f'), call('C write g'), call('D list /')])],
    {
      happens: { runs: ['fails'], cancels: ['all'] },
    },
  ),
  world(
    'waiting for all before, and edits',
    [
      batch([
        call('A write f'),
        call('B think x', { waitForPrevious: true }),
        call('C write g'),
        call('D think y', { waitForPrevious: true }),
      ]),
    ],
    {
      happens: { edits: ['g'] },
    },
  ),
  world(
    'three retried calls, cancelled and interrupted',
    [batch([call('A put f'), call('B read f'), call('C list /')])],
    {
      epochsMax: 3,
      happens: { runs: ['fails', 'fails for now'], cancels: ['call'] },
    },
  ),
  world(
    'one use for three calls, cancelled or revoked',
    [batch([call('A write f'), call('B write f'), call('C write g')])],
    {
      commit: 'many',
      runningMax: 1,
      grants: [editsGrant('single', { uses: 1 })],
      happens: { revokes: ['here', 'elsewhere'], cancels: ['call'] },
    },
  ),
  world('edits of edits', [batch([call('A write f'), call('B write f'), call('C write g')])], {
    happens: { edits: ['fg', 'g'], rewrites: ['f'] },
  }),
];
