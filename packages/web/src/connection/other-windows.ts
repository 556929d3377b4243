/** Windows of one browser sign in and out together. One channel object: it does not receive its own messages. */
const channel = new BroadcastChannel('countersign.sign-in');

/** This window has signed in or out. */
export const tellOtherWindows = (): void => channel.postMessage('changed');

/** Calls back when another window has signed in or out; returns how to stop. */
export function onOtherWindow(changed: () => void): () => void {
  channel.addEventListener('message', changed);
  return () => channel.removeEventListener('message', changed);
}
