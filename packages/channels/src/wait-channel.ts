import { visibleLine } from '@countersign/display';
import { type ChannelKind, printing } from './channel.js';

/** Does not ask here: prints the question's title, and how to answer it from another process. */
export const waitChannel: ChannelKind = {
  attended: 'somebody',
  open: ({ say, answerCommand }) =>
    printing({
      offer: (call) => say(`Waiting for approval: ${visibleLine(call.plan.title)}\n${answerCommand(call)}`),
    }),
};
