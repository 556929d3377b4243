import type { Client } from '@countersign/server/client';
import type { ProblemText } from '../parts/problem.js';

const FILE = 'countersign-demo.txt';

/**
 * Calls as a model would make them, without one: what only looks runs at once, what changes something asks. A file and
 * a few seconds of a command are all that comes of saying yes to everything.
 */
const CALLS = [
  { name: 'list_directory', args: { dir_path: '.' } },
  {
    name: 'ask_user',
    args: {
      questions: [
        {
          question: 'Which greeting is to be written?',
          header: 'Greeting',
          type: 'choice',
          options: [
            { label: 'Good morning', description: 'for those who rise early' },
            { label: 'Good evening', description: 'for everybody else' },
          ],
        },
      ],
    },
  },
  {
    name: 'write_file',
    args: { file_path: FILE, content: 'Good day.\nThis line was proposed, and a person agreed.\n' },
  },
  {
    name: 'run_shell_command',
    args: {
      command: 'for step in 1 2 3 4 5; do echo "step $step of 5"; sleep 1; done',
      description: 'Count slowly, to show live output',
    },
  },
] as const;

/** null if all went well. */
export async function demonstrate(api: Client, sessionId: string): Promise<ProblemText | null> {
  const issued = await api.issueCalls({ sessionId, body: { calls: CALLS.map((call) => ({ ...call })) } });
  return issued.ok ? null : issued.error;
}
