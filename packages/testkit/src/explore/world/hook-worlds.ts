import { batch, call, editsGrant, type World, world } from './world.js';

/** The smallest worlds with hooks, a sandbox, and models that still speak. */
export const HOOK_WORLDS: readonly World[] = [
  world('one call and what a hook says of it', [batch([call('A write f')])], {
    grants: [editsGrant('standing')],
    happens: {
      advice: ['allow', 'ask', 'deny'],
      hookRewrites: ['f!', 'k'],
      rewrites: ['f'],
      modes: ['manual', 'confirm_always'],
    },
  }),
  world('one run that the sandbox stops', [batch([call('A write f')])], {
    happens: {
      runs: ['blocked', 'blocked, unplanned'],
      cancels: ['call'],
      policies: ['usual', 'strict'],
      looks: ['changed'],
    },
  }),
  world('one result that hooks look at', [batch([call('A write f')])], {
    mode: 'yolo',
    epochsMax: 2,
    hooksAfter: ['write'],
    happens: {
      runs: ['fails'],
      cancels: ['call'],
      replacements: ['good', 'bad'],
      followUps: ['think x', 'broken x'],
    },
  }),
  world('one call of a model that still speaks', [batch([call('A build x')], { comes: 'streamed' })], {
    epochsMax: 2,
    happens: { cancels: ['call'], modes: ['manual', 'plan'], plans: ['fails'] },
  }),
  world(
    'a model speaks while another turn is worked on',
    [
      batch([call('A put f')]),
      batch([call('A write f'), call('B write g')], { comes: 'streamed', start: 'together' }),
    ],
    {
      epochsMax: 2,
      commit: 'many',
      grants: [editsGrant('single', { uses: 1 })],
      happens: { revokes: ['here'] },
    },
  ),
  world(
    'what hooks say where nobody attends',
    [batch([call('A write f'), call('B put k')], { attended: false })],
    {
      grants: [editsGrant('standing')],
      happens: {
        advice: ['allow', 'ask', 'deny'],
        hookRewrites: ['k'],
        modes: ['manual', 'yolo'],
        revokes: ['here'],
      },
    },
  ),
  world('an always beside a call that a hook asks about', [batch([call('A write f'), call('B write g')])], {
    happens: { advice: ['ask', 'allow'], answers: ['proceed_once', 'proceed_always'], looks: ['changed'] },
  }),
  world(
    'hooks that rewrite into what others touch',
    [batch([call('A put f'), call('B put g'), call('C read f')])],
    {
      happens: { hookRewrites: ['g', 'fg'] },
    },
  ),
  world('a safe run that the sandbox stops over and over', [batch([call('A put f')])], {
    epochsMax: 2,
    attemptsMax: 3,
    happens: {
      runs: ['blocked', 'fails for now'],
      blocksMax: 99,
      looks: ['changed'],
      answers: ['proceed_once', 'proceed_always'],
    },
  }),
  world(
    'stopped by the sandbox with nobody to ask',
    [batch([call('A build x'), call('B put f')], { attended: false }), batch([call('A build x')])],
    { hooksAfter: ['put'], happens: { runs: ['blocked', 'blocked, moved'], cancels: ['turn'] } },
  ),
  world('hooks look at what goes on without us', [batch([call('A spawn x')])], {
    epochsMax: 3,
    hooksAfter: ['spawn'],
    happens: { runs: ['fails'], cancels: ['call'], replacements: ['good'] },
  }),
  world('a call that follows, and one that follows that', [batch([call('A put f')])], {
    epochsMax: 2,
    hooksAfter: ['put', 'write', 'think'],
    happens: {
      followUps: ['write f', 'rm f', 'broken x'],
      followUpsMax: 2,
      replacements: ['bad'],
      cancels: ['call', 'turn'],
      runs: ['fails'],
    },
  }),
  world('calls that follow for ever', [batch([call('A think x')])], {
    hooksAfter: ['think'],
    happens: { followUps: ['think x'], followUpsMax: 99, cancels: ['all'] },
  }),
  world(
    'together, and calls that follow',
    [batch([call('A put f'), call('B write g')], { start: 'together' })],
    {
      runningMax: 1,
      hooksAfter: ['put'],
      happens: { followUps: ['write f', 'put g'], advice: ['deny'] },
    },
  ),
  world(
    'calls that follow, and a batch that queues',
    [batch([call('A put f'), call('B read f')]), batch([call('A put f')])],
    {
      hooksAfter: ['put'],
      happens: { followUps: ['write f'], cancels: ['turn'] },
    },
  ),
];
