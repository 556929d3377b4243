import type { Draft, Forms } from './draft.js';

const BODY_LINES = [
  'a',
  'E x',
  ' E',
  "'$(pc)'",
  '\\$(pd)',
  '\\\\$(pa)',
  '"`pb`"',
  '${X:-$(pc)}',
  '$((1+`pc`))',
  '\\`pd\\`',
  '# $(pa)',
  'a\\\nE',
  '$X',
  "${X:-'$(pb)'}",
  'EE',
  'E\\',
  '<<F',
  '$(cat <<F\n$(pc)\nF\n)',
];

const body = (draft: Draft): string => draft.several(3, () => `${draft.pick(BODY_LINES)}\n`).join('');

export const HERE_DOCUMENTS: Forms = {
  'here-document': (draft, depth) =>
    `cat <<E\n${body(draft)}$(${draft.command(depth)})\nE\n${draft.command(depth)}`,
  'here-document in quotes': (draft, depth) =>
    `cat <<${draft.pick(["'E'", '"E"', '\\E', "E''", "$'E'", '$"E"'])}\n${body(draft)}$(${draft.command(depth)})\n${draft.pick(['E', 'E', '$E'])}\n${draft.command(depth)}`,
  'here-document with tabs': (draft, depth) =>
    `cat <<-${draft.pick(['E', ' E', "'E'"])}\n\t$(${draft.command(depth)})\n\t\tE\n${draft.command(depth)}`,
  'here-document before more of the line': (draft, depth) =>
    `cat <<E ${draft.pick(['; ', '&& ', '| ', '& '])}${draft.command(depth)}\n${body(draft)}E\n${draft.command(depth)}`,
  'two here-documents': (draft, depth) =>
    `cat <<E <<'F'\n$(${draft.command(depth)})\nE\n$(pa)\nF\n${draft.command(depth)}`,
  'here-document in a group': (draft, depth) => `{ cat <<E\n${body(draft)}E\n${draft.command(depth)}; }`,
  'here-document in backquotes': (draft) =>
    `echo \`cat <<E\n${draft.pick(['$(pa)', '\\$(pb)', 'a', '\\\\\\$(pc)'])}\nE\n\``,
  'here-document without an end': (draft) => `cat <<E\n${body(draft)}$(pa)`,
};
