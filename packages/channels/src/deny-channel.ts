import { type ChannelKind, printing } from './channel.js';

/** Nobody is asked. */
export const denyChannel: ChannelKind = { attended: 'nobody', open: () => printing({}) };
