import { describeContract, type Subject } from './front-end-contract.js';
import { startPage } from './page.js';
import { startTerminal } from './terminal.js';

/** Neither shows digests: that a question is another one is seen by what it says. */
const SUBJECTS: readonly Subject[] = [
  { name: 'the terminal', start: startTerminal },
  { name: 'the page', start: startPage },
];

for (const subject of SUBJECTS) describeContract(subject);
