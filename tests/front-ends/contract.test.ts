import { startAcp } from './acp.js';
import { startExec } from './exec.js';
import { describeContract, type Subject } from './front-end-contract.js';
import { startHeadless } from './headless.js';
import { startHttp } from './http.js';
import { startLibrary } from './library.js';
import { startMcp } from './mcp.js';

/** The terminal and the page are in `contract.slow.test.ts`. */
const SUBJECTS: readonly Subject[] = [
  { name: 'the library', start: startLibrary, isUnconfined: true },
  { name: 'exec', start: startExec },
  { name: 'headless', start: startHeadless },
  { name: 'an editor (ACP)', start: startAcp },
  { name: 'the MCP server', start: startMcp, isOneByOne: true, showsTitlesOnly: true },
  { name: 'HTTP', start: startHttp },
];

for (const subject of SUBJECTS) describeContract(subject);
