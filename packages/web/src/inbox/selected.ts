/** The selected question. */
export type Selected = { readonly sessionId: string; readonly callId: string };
