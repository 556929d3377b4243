import { analyzeCommand } from '@countersign/commands';
import { decideCommand } from '@countersign/kernel';
import { describe, expect, test } from 'vitest';
import { ATTACKS } from './corpus/attacks.js';
import { ESCAPE_ATTACKS } from './corpus/escape-attacks.js';
import { EVERYDAY } from './corpus/everyday.js';
import { shortRules } from './corpus/short-rules.js';

describe.each([ATTACKS, ESCAPE_ATTACKS, EVERYDAY].flatMap((cases) => Object.entries(cases)))(
  '%s',
  (_, cases) => {
    test.each(cases)('under %j, %j gets %s [P4]', (rules, command, expected) => {
      const { decision, reasons } = decideCommand(
        analyzeCommand(command),
        () => [shortRules(rules)],
        'ask_user',
      );
      expect({ decision: decision === 'ask_user' ? 'ask' : decision, reasons }).toMatchObject({
        decision: expected,
      });
    });
  },
);
