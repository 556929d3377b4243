/** What the world needs to know of a process. */
export type Process = {
  readonly id: number;
  readonly status: () => 'alive' | 'lost' | 'dead';
  readonly epoch: () => number;
};
