import { questionText } from '@countersign/channels';
import type { SessionClient } from '@countersign/client';
import type { AwaitingCall } from '@countersign/protocol';

/** How questions are answered: by the user in the terminal, or always the same. */
export type Answering = 'person' | 'yes' | 'no';

/** Prints the question, and answers it without the user. */
export async function answerUnattended(
  client: SessionClient,
  call: AwaitingCall,
  answer: 'yes' | 'no',
  print: (text: string) => void,
): Promise<void> {
  print(questionText({ title: call.plan.title, ...call }, { colour: false, extent: 'whole' }).text);
  const [said, outcome, by] =
    answer === 'yes'
      ? (['  --yes was given: approved.', 'proceed_once', '--yes'] as const)
      : ([
          '  There is no terminal to ask in: declined. Use --yes to approve.',
          'cancel',
          'the demonstration',
        ] as const);
  print(said);
  const { callId } = call.request;
  const { digest } = call.question;
  // Refused only if the user ended the demonstration meanwhile.
  await client.send({ type: 'answer', callId, digest, outcome, by });
}
