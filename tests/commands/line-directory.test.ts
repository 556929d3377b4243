import { analyzeCommand } from '@countersign/commands';
import { covers, lineDirectory, patternInWords } from '@countersign/kernel';
import { expect, test } from 'vitest';

test.each<readonly [line: string, from: string, where: string | null]>([
  ['npm test', '/w', ''],
  ['npm test | tail -n 3; ls', '/w', ''],
  ['./script.sh', '/w/sub', 'sub'],
  ['cd sub && ./script.sh', '/w', 'sub'],
  ['cd sub/ && ./script.sh | tail -n 3', '/w', 'sub'],
  ['cd a && cd ../b && make', '/w', 'b'],
  ['cd /w/sub && make', '/w', 'sub'],
  ['cd .. && make', '/w/sub', ''],
  ['cd "my dir" && make', '/w', 'my dir'],
  ['git -C x log', '/w', ''],
  ['timeout 60 npm test', '/w', ''],
  ['cd sub; ./script.sh', '/w', null],
  ['cd sub || ./script.sh', '/w', null],
  ['cd sub && a; ./script.sh', '/w', null],
  ['cd sub && a || ./script.sh', '/w', null],
  ['cd sub && a\n./script.sh', '/w', null],
  ['(cd sub && a); ./script.sh', '/w', null],
  ['true && cd sub && ./script.sh', '/w', null],
  ['bash -c "cd sub && ./script.sh"', '/w', null],
  ['command cd sub && ./script.sh', '/w', null],
  ['pushd sub && ./script.sh', '/w', null],
  ['cd $X && ./script.sh', '/w', null],
  ['cd && ./script.sh', '/w', null],
  ['cd ~ && ./script.sh', '/w', null],
  ['cd - && ./script.sh', '/w', null],
  ['cd -P sub && ./script.sh', '/w', null],
  ['cd .. && ./script.sh', '/w', null],
  ['cd /elsewhere && ./script.sh', '/w', null],
  ['env -C sub ./script.sh', '/w', null],
  ['find . -name x -execdir ./script.sh {} +', '/w', null],
])('%j begun in %s runs in %j of the workspace [P6]', (line, from, where) => {
  expect(lineDirectory(analyzeCommand(line), from, '/w')).toBe(where);
});

const exactly = { kind: 'command', match: 'exact', commands: [['./script.sh']] } as const;
const isCovered = (directory: string | null, granted?: string) =>
  covers(granted === undefined ? exactly : { ...exactly, directory: granted }, {
    tool: 'run_shell_command',
    plan: { kind: 'execute', resources: [] },
    asking: analyzeCommand('./script.sh').units,
    directory,
  });

test('a grant for commands holds in the directory it was given for, and nowhere else [P6]', () => {
  expect([isCovered(''), isCovered('sub'), isCovered(null)]).toEqual([true, false, false]);
  expect([isCovered('sub', 'sub'), isCovered('', 'sub'), isCovered('sub/x', 'sub')]).toEqual([
    true,
    false,
    false,
  ]);
  expect(patternInWords({ ...exactly, directory: 'sub' })).toBe('exactly `./script.sh` in sub');
});
