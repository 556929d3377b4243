import { visibleLine } from '@countersign/display';
import type { Outcome, Question } from '@countersign/protocol';

/** A key a person can type, and what it does. */
export type Choice = {
  readonly key: string;
  readonly label: string;
  readonly does: Outcome | 'show the whole';
};

export const SHOW_THE_WHOLE: Choice = { key: 'w', label: 'Show everything', does: 'show the whole' };

/** The answers on offer, each with its key. */
export const choicesFor = ({ offers }: Question): readonly Choice[] =>
  offers.map(({ outcome: does, grant }) => {
    const always = `Yes, and always: ${visibleLine(grant?.text ?? '')}`;
    switch (does) {
      case 'proceed_once':
        return { key: 'y', label: 'Yes, allow once', does };
      case 'proceed_always':
        return { key: 'a', label: always, does };
      case 'proceed_always_tool':
        return { key: 't', label: always, does };
      case 'proceed_always_server':
        return { key: 'v', label: always, does };
      case 'proceed_always_and_save':
        return { key: 's', label: always, does };
      case 'modify_with_editor':
        return { key: 'e', label: 'Modify with external editor', does };
      case 'cancel':
        return { key: 'n', label: 'No (n, or: n why not)', does };
    }
  });
