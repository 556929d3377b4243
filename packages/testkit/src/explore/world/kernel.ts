import type * as kernel from '@countersign/kernel';

/** The kernel under test: ours, or one with a planted fault. */
export type Kernel = Pick<
  typeof kernel,
  'compilePolicy' | 'decide' | 'effectOf' | 'emptySession' | 'evolve' | 'step' | 'wanted'
>;
