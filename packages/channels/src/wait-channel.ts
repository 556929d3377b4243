import { visibleLine } from '@countersign/display';
import { type ChannelKind, printing } from './channel.js';

/** Asks nobody here: says what waits, and how to answer it from another process. */
export const waitChannel: ChannelKind = {
  attended: 'somebody',
  open: ({ say, answerCommand }) =>
    printing({
      offer: ({ request, plan }) =>
        say(`Waiting for approval: ${visibleLine(plan.title)}\n${answerCommand(request.callId)}`),
    }),
};
