/** The question that is looked at. */
export type Selected = { readonly sessionId: string; readonly callId: string };
