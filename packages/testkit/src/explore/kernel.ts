/** The kernel under examination: ours, or one in which somebody planted a fault. */
export type Kernel = Pick<
  typeof import('@countersign/kernel'),
  'cloneSession' | 'decide' | 'effectOf' | 'emptySession' | 'evolve' | 'step' | 'wanted'
>;
