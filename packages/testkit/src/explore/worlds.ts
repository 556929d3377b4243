import type { Grant } from '@countersign/protocol';
import { batch, call, type World, world } from './world.js';

/** Worlds to go through, each with a question of its own. Together they ask everything that can be asked of the kernel. */
export const WORLDS: readonly World[] = [
  world('one call and everything that can be said to it', [batch([call('A write f')])], {
    epochsMax: 2,
    happens: {
      plans: ['fails', 'changed'],
      looks: ['skipped', 'changed', 'moved', 'fails'],
      runs: ['fails', 'fails for now'],
      answers: ['proceed_once', 'proceed_always', 'proceed_always_and_save'],
      uses: [null, 1],
      badUses: true,
      keys: ['k1', null],
      edits: ['g', 's'],
      rewrites: ['g', 's', 'f', ''],
      cancels: ['call', 'turn', 'all'],
      revokes: ['here'],
      plansMax: 3,
    },
  }),
  world('two writes of one file', [batch([call('A write f'), call('B write f')])], {
    epochsMax: 2,
    happens: { cancels: ['call', 'all'], runs: ['fails'], looks: ['changed'], plans: ['fails'] },
  }),
  world('a write, a read of it and a listing, tried again', [batch([call('A put f'), call('B read f'), call('C list /')])], {
    epochsMax: 3,
    happens: { runs: ['fails', 'fails for now'], cancels: ['call'] },
  }),
  world('a safe write and an unsafe one', [batch([call('A put f'), call('B write f')])], {
    mode: 'yolo',
    epochsMax: 3,
    happens: { runs: ['fails', 'fails for now'], cancels: ['call', 'turn'] },
  }),
  world('edits that touch what others touch', [batch([call('A write f'), call('B write f'), call('C write g')])], {
    happens: { edits: ['fg', 'g'], rewrites: ['f'], plansMax: 2 },
  }),
  world('plans that move', [batch([call('A write f'), call('B put m'), call('C write f')])], {
    happens: { plans: ['moved'], looks: ['moved'], plansMax: 2, cancels: ['call'] },
  }),
  world('together: asked, allowed, denied', [batch([call('A write f'), call('B read g'), call('C rm h')], { start: 'together' })], {
    epochsMax: 2,
    happens: { cancels: ['call', 'turn'], runs: ['fails'], plans: ['fails'], edits: ['g'] },
  }),
  world('together: two asked beside an allowed one', [
    batch([call('A write f'), call('B put f'), call('C run x')], { start: 'together' }),
  ], {
    happens: { cancels: ['call'], runs: ['fails'] },
  }),
  world('an always that covers others', [batch([call('A write f'), call('B write g'), call('C write h')])], {
    commit: 'many',
    happens: { answers: ['proceed_once', 'proceed_always'], uses: [null, 1], revokes: ['here'] },
  }),
  world('an always, modes and a second batch', [batch([call('A write f'), call('B write g')]), batch([call('A write f')])], {
    happens: {
      answers: ['proceed_once', 'proceed_always'],
      uses: [1],
      modes: ['manual', 'confirm_always'],
      revokes: ['here', 'elsewhere'],
    },
  }),
  world('one use for three calls', [batch([call('A write f'), call('B write f'), call('C write g')])], {
    commit: 'many',
    runningMax: 1,
    grants: [editsGrant(1)],
    happens: { revokes: ['here', 'elsewhere'], cancels: ['call'] },
  }),
  world('a grant and nobody to ask', [batch([call('A write f'), call('B write f'), call('C run x')], { attended: false })], {
    epochsMax: 2,
    grants: [editsGrant(null)],
    happens: { revokes: ['here', 'elsewhere'], cancels: ['turn'], modes: ['manual', 'confirm_always', 'yolo'] },
  }),
  world('nobody to ask', [batch([call('A write f'), call('B read f')], { attended: false }), batch([call('C write f')])], {
    happens: { cancels: ['all'], modes: ['manual', 'yolo'] },
  }),
  world('a queue of batches', [
    batch([call('A write f')]),
    batch([call('A read f'), call('B read g', { broken: true })]),
    batch([]),
  ], {
    epochsMax: 2,
    happens: { cancels: ['call', 'turn', 'all'], plans: ['fails'] },
  }),
  world('unknown effects one at a time', [batch([call('A build x'), call('B put f'), call('C read g'), call('D build y')])], {
    runningMax: 1,
    happens: { runs: ['fails'] },
  }),
  world('unknown effects side by side', [batch([call('A build x'), call('B put f'), call('C list /')])], {
    epochsMax: 2,
    happens: { cancels: ['call'], plans: ['fails'] },
  }),
  world('wait for previous', [
    batch([call('A read f'), call('B think x', { waitForPrevious: true }), call('C write g'), call('D think y', { waitForPrevious: true })]),
  ], {
    happens: { cancels: ['call'], edits: ['f'] },
  }),
  world('modes and rules that change', [batch([call('A write f'), call('B read f')])], {
    happens: {
      modes: ['manual', 'yolo', 'plan', 'confirm_always'],
      policies: ['usual', 'strict'],
      answers: ['proceed_once', 'proceed_always'],
      looks: ['changed'],
      edits: ['g'],
      rewrites: ['f'],
      cancels: ['call'],
    },
  }),
  world('hosts', [batch([call('A fetch h'), call('B post h'), call('C fetch h')])], {
    attemptsMax: 2,
    happens: { answers: ['proceed_once', 'proceed_always'], runs: ['fails for now'] },
  }),
];

function editsGrant(uses: number | null): Grant {
  return { id: 'g', pattern: { kind: 'edits' }, scope: 'user', scopeKey: '', uses, expiresAt: null, by: 'ann', at: 0 };
}
