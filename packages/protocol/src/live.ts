/** What is shown while it happens and not kept: the latest replaces the one before. */
export type Live = {
  readonly callId: string;
  readonly output?: string;
  readonly progress?: { readonly done: number; readonly total?: number; readonly message?: string };
  readonly pid?: number;
};
