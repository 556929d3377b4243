import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { packageNames, root } from '../../scripts/source/files.mjs';

const ENTRIES = ['src/index.ts', 'src/main.ts', 'src/main.tsx'];
const LINES_MAX = 14;

test.each(packageNames())(
  'the entry file of %s begins with what enters, what leaves and what holds',
  (name) => {
    const entry = ENTRIES.map((path) => join(root, 'packages', name, path)).find(existsSync);
    const text = readFileSync(entry ?? '', 'utf8');
    const header = text.startsWith('/**') ? text.slice(0, text.indexOf('*/')) : '';
    for (const part of ['What enters', 'leave', 'What holds: ']) expect(header).toContain(part);
    expect(header.split('\n').length).toBeLessThanOrEqual(LINES_MAX);
  },
);
