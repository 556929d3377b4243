import { describe, test } from 'vitest';
import { faultsIn, isSlow, runFault } from './run-fault.js';

/** Ten seconds on an idle machine; the limits under test grow with how busy it is. */
const FAULT_MS_MAX = 240_000;

describe('a server that is silent, or floods us, is stopped by limits [M2]', () => {
  for (const fault of faultsIn('mcp-faults.public.jsonl').filter(isSlow))
    test(`${fault.id}: ${fault.name}`, () => runFault(fault), FAULT_MS_MAX);
});

describe('other faults of the same kinds do no harm either [M2]', () => {
  for (const fault of faultsIn('mcp-faults.own.jsonl'))
    test(`${fault.id}: ${fault.name}`, () => runFault(fault), FAULT_MS_MAX);
});
