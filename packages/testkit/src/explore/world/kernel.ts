import type * as kernel from '@countersign/kernel';

/** The kernel under examination: ours, or one in which somebody planted a fault. */
export type Kernel = Pick<
  typeof kernel,
  'cloneSession' | 'compilePolicy' | 'decide' | 'effectOf' | 'emptySession' | 'evolve' | 'step' | 'wanted'
>;
