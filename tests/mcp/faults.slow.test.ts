import { describe, test } from 'vitest';
import { faultsIn, isSlow, runFault } from './run-fault.js';

describe('a server that is silent, or floods us, is stopped by limits [M2]', () => {
  for (const fault of faultsIn('mcp-faults.public.jsonl').filter(isSlow))
    test(`${fault.id}: ${fault.name}`, () => runFault(fault), 30_000);
});

describe('other faults of the same kinds do no harm either [M2]', () => {
  for (const fault of faultsIn('mcp-faults.own.jsonl'))
    test(`${fault.id}: ${fault.name}`, () => runFault(fault), 30_000);
});
