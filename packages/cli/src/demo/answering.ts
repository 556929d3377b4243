import { questionText } from '@countersign/channels';
import type { SessionClient } from '@countersign/client';
import type { AwaitingCall } from '@countersign/protocol';

/** Who answers questions: the person in the terminal, or a word that was settled before. */
export type Answering = 'person' | 'yes' | 'no';

/** Shows the question as a person would have seen it, and answers it without one. */
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
  // Refused only if the question waits no longer, because somebody has ended the demonstration.
  await client.send({ type: 'answer', callId, digest, outcome, by });
}
