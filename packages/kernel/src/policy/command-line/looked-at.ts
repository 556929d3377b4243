/**
 * Beginnings of commands whose every continuation was looked at. An "always"
 * may be for one of these, and then covers what is listed here and nothing
 * else. For every other command it covers the exact words that were shown.
 *
 * To add one: read the manual of the program to its end, list what leaves the
 * nature of the command as it was (another force, remote, file or script does
 * not), say in `except` what is omitted, and add both to the test.
 */
export type LookedAt = {
  /** The fixed words. */
  readonly words: readonly string[];
  /** How many operands of the command shown belong to the beginning: with `git push`, the remote and the branch. */
  readonly named: number;
  /** Options that may follow. `any`: what an option must not do is found by the analysis of commands, as an escape. */
  readonly flags: readonly string[] | 'any';
  /** Options that may follow with a value, attached or as the next word. */
  readonly valued: readonly string[];
  /** `below`: paths from the folder it runs in, without a way up; `dotted`: such that begin with a dot, as in `./x`. */
  readonly operands: 'none' | 'any' | 'below' | 'dotted';
  /** What is outside, for the person who is asked. */
  readonly except: string;
};

const words = (text: string): readonly string[] => (text === '' ? [] : text.split(' '));

function entry(text: string, { flags, valued = '', named = 0, operands = 'none', except }: Draft): LookedAt {
  return {
    words: words(text),
    named,
    flags: flags === 'any' ? flags : words(flags),
    valued: words(valued),
    operands,
    except,
  };
}
type Draft = Partial<Pick<LookedAt, 'named' | 'operands'>> & {
  readonly flags: string;
  readonly valued?: string;
  readonly except: string;
};

/** What makes one of them write, or run something, is an escape, and asks. */
const LOOKING = {
  flags: 'any',
  operands: 'any',
  except: 'with an option that writes or runs something',
} as const;

export const LOOKED_AT: readonly LookedAt[] = [
  ...words(
    'cd ls cat head tail wc nl cut tr grep egrep fgrep rg sort uniq diff cmp stat file tree du df',
  ).map((program) => entry(program, LOOKING)),
  ...words('pwd echo printf which type basename dirname realpath readlink jq').map((program) =>
    entry(program, LOOKING),
  ),
  ...words('status log diff show blame shortlog describe grep ls-files ls-tree rev-parse rev-list').map(
    (sub) => entry(`git ${sub}`, LOOKING),
  ),
  entry('git add', {
    flags: '-A --all -u --update -v --verbose -n --dry-run -N --intent-to-add',
    operands: 'any',
    except: 'with --force, --chmod or another option',
  }),
  entry('git commit', {
    flags: '-a --all -q --quiet -v --verbose -s --signoff',
    valued: '-m --message',
    except: 'with --amend, --no-verify, another author or another option',
  }),
  entry('git fetch', {
    named: 1,
    flags: '-p --prune -t --tags -v --verbose -q --quiet --dry-run --progress',
    except: 'from another remote or an address, with a refspec, --force or another option',
  }),
  entry('git push', {
    named: 2,
    flags: '-u --set-upstream -v --verbose -q --quiet -n --dry-run --progress --no-progress --porcelain',
    except: 'with --force, --delete, another refspec, another remote or another option',
  }),
  entry('touch', {
    flags: '-a -c -m --no-create',
    operands: 'any',
    except: 'with --reference, --date or another option',
  }),
  entry('mkdir', {
    flags: '-p -v --parents --verbose',
    operands: 'any',
    except: 'with --mode or another option',
  }),
  entry('pytest', {
    flags: '-v -vv -q -s -x -l --verbose --quiet --exitfirst --lf --ff --last-failed --failed-first',
    valued: '-k --maxfail --durations --tb',
    operands: 'below',
    except: 'with a plugin, another configuration or another option',
  }),
  ...words('build check test clippy').map((sub) =>
    entry(`cargo ${sub}`, {
      flags:
        '-v --verbose -q --quiet -r --release --all --workspace --all-targets --all-features --lib --tests --locked --offline',
      valued: '-p --package --features --test',
      except: 'with --config, --manifest-path, --target-dir, arguments after -- or another option',
    }),
  ),
  ...words('build test vet').map((sub) =>
    entry(`go ${sub}`, {
      flags: sub === 'test' ? '-v -race -short -cover -failfast' : '-v -race',
      valued: sub === 'test' ? '-run -count -timeout' : '',
      operands: 'dotted',
      except: 'with -exec, -toolexec, -o, -C, another module or another option',
    }),
  ),
];

/** A beginning that is in the list: the entry, and the words with those that it takes from the command. */
export function lookedAtFor(beginning: readonly string[]): LookedAt | null {
  return (
    LOOKED_AT.find(
      ({ words: fixed, named }) =>
        beginning.length === fixed.length + named &&
        fixed.every((word, index) => word === beginning[index]) &&
        beginning.slice(fixed.length).every(isPlainName),
    ) ?? null
  );
}

/** A name of a remote or branch: no address, no path, nothing that git reads as more than a name. */
const isPlainName = (word: string, index: number): boolean =>
  (index === 0 ? /^[A-Za-z0-9][\w.-]*$/ : /^[A-Za-z0-9][\w./-]*$/).test(word) && !word.includes('..');
