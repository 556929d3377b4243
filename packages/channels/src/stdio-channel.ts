import { approvalLine } from './approval-lines.js';
import { type ChannelKind, printing } from './channel.js';

/** Asks the program at the other end of standard output; its answers are lines of standard input (`readAnswer`). */
export const stdioChannel: ChannelKind = {
  attended: 'somebody',
  open: ({ client, print }) => printing({ offer: (call) => print(approvalLine(client.sessionId, call)) }),
};
