import type { Policy } from '@countersign/kernel';
import { plainPolicy } from '@countersign/testkit';

/** Ordinary until `forbidden` says otherwise, then it denies everything. */
export function switchable(forbidden: () => boolean): { readonly policy: Policy } {
  const plain = plainPolicy();
  return {
    policy: {
      ...plain,
      judge: (subject) =>
        forbidden()
          ? { decision: 'deny', rule: null, reason: 'It is forbidden now.', matched: null, because: 'rule' }
          : plain.judge(subject),
    },
  };
}
