import type { Setting } from './parse-configuration.js';

/** What a setting's value may refer to, as far as that decides whether it is harmless. */
export type SettingPlace = {
  /** Whether a path, as git would resolve it from the work tree, lies in the repository or the workspace. */
  readonly isInside: (path: string) => boolean;
  /** The same for a path from the directory of the repository (`core.worktree`). */
  readonly isWorkTree: (path: string) => boolean;
  /** Whether a directory of hooks holds none that a command which only looks would run. */
  readonly hasQuietHooks: (path: string) => boolean;
  /** The sub-command of git; null if that is not known. */
  readonly command: string | null;
};

/**
 * Whether a setting that a repository contains neither runs a program nor
 * leads elsewhere, whichever command of git reads it. Whatever is not listed may.
 */
export function isInert(setting: Setting, place: SettingPlace): boolean {
  const { section, subsection, key } = setting;
  const rule = Object.hasOwn(RULES, section) ? RULES[section] : undefined;
  if (rule === undefined) return false;
  if (rule === 'all') return true;
  if (typeof rule === 'function') return rule(setting, place);
  const byValue = rule.byValue ?? {};
  if (Object.hasOwn(byValue, key)) return byValue[key]?.(setting, place) ?? false;
  return rule.keys.includes(subsection === null ? key : `*.${key}`) || rule.keys.includes('*');
}

type Judge = (setting: Setting, place: SettingPlace) => boolean;

type SectionRule =
  /** Sections that only configure how to print, count or decide. */
  | 'all'
  | Judge
  | {
      /** `key`, or `*.key` below a subsection; `*` for all that are not named in `byValue`. */
      readonly keys: readonly string[];
      readonly byValue?: { readonly [key: string]: Judge };
    };

const words = (text: string): readonly string[] => text.split(' ');

const never: Judge = () => false;
const isSwitch: Judge = ({ value }) => /^(?:true|false|yes|no|on|off|0|1|)$/i.test(value);
/** `ext::command` and its kind run a program of that name. */
const isPlainAddress = (address: string): boolean => !/^[\w+.-]*::/.test(address) && !address.startsWith('-');
const isAddress: Judge = ({ value }) => isPlainAddress(value);
const isBase: Judge = ({ subsection }) => isPlainAddress(subsection ?? '');
const isInsidePath: Judge = ({ value }, { isInside }) => isInside(value);
/** What `git lfs install` writes: a program that the person has installed. */
const isLfs: Judge = ({ value }) =>
  /^git-lfs (?:clean|smudge|filter-process)(?: --skip)?(?: -- %f)?$/.test(value);
/** A plain name is that of a helper which is installed with git; anything else is given to a shell. */
const isHelper: Judge = ({ value }) => /^[\w-]*(?: --timeout[= ]\d+)?$/.test(value);

const RULES: { readonly [section: string]: SectionRule } = {
  core: {
    keys: words(
      'repositoryformatversion filemode bare logallrefupdates ignorecase precomposeunicode symlinks autocrlf eol safecrlf trustctime checkstat quotepath compression loosecompression packedgitlimit packedgitwindowsize deltabasecachelimit bigfilethreshold abbrev commentchar commentstring whitespace untrackedcache preloadindex fscache longpaths protecthfs protectntfs hidedotfiles sharedrepository splitindex createobject sparsecheckout sparsecheckoutcone commitgraph multipackindex usereplacerefs notesref fsync fsyncmethod fsyncobjectfiles ignorestat warnambiguousrefs disambiguate filesreflocktimeout packedrefstimeout checkroundtripencoding fsmonitorhookversion prefersymlinkrefs maxtreedepth alternaterefsprefixes unicodemap',
    ),
    byValue: {
      // `true` is git's own monitor; anything else is the name of a program.
      fsmonitor: isSwitch,
      worktree: ({ value }, { isWorkTree }) => isWorkTree(value),
      hookspath: ({ value }, { hasQuietHooks }) => hasQuietHooks(value),
      attributesfile: isInsidePath,
      excludesfile: isInsidePath,
    },
  },
  remote: {
    keys: words(
      'pushdefault *.fetch *.push *.mirror *.tagopt *.prune *.prunetags *.skipdefaultupdate *.skipfetchall *.promisor *.partialclonefilter *.followremotehead *.serveroption *.gh-resolved *.glab-resolved *.review *.projectname',
    ),
    byValue: { url: isAddress, pushurl: isAddress },
  },
  // Editors and hosts keep notes of their own about branches.
  branch: { keys: ['*'], byValue: { mergeoptions: never, remote: isAddress, pushremote: isAddress } },
  url: { keys: [], byValue: { insteadof: isBase, pushinsteadof: isBase } },
  submodule: {
    keys: words(
      'recurse fetchjobs propagatebranches active alternatelocation alternateerrorstrategy *.active *.branch *.ignore *.fetchrecursesubmodules *.shallow *.path',
    ),
    byValue: { url: isAddress, update: ({ value }) => /^(?:checkout|rebase|merge|none)$/.test(value) },
  },
  user: { keys: words('name email signingkey useconfigonly') },
  author: { keys: words('name email') },
  committer: { keys: words('name email') },
  github: { keys: ['user'] },
  init: { keys: words('defaultbranch defaultobjectformat defaultrefformat') },
  pull: { keys: words('rebase ff') },
  push: {
    keys: words('default followtags autosetupremote recursesubmodules useforceifincludes negotiate gpgsign'),
  },
  fetch: {
    keys: words(
      'prune prunetags recursesubmodules parallel writecommitgraph fsckobjects output negotiationalgorithm unpacklimit showforcedupdates all',
    ),
  },
  merge: {
    keys: words(
      'ff conflictstyle renamelimit renames directoryrenames log stat autostash verbosity defaulttoupstream branchdesc suppressdest verifysignatures tool guitool renormalize *.name *.recursive',
    ),
  },
  mergetool: { keys: words('keepbackup keeptemporaries prompt hideresolved writetotemp') },
  difftool: { keys: words('prompt guidefault trustexitcode') },
  diff: {
    keys: words(
      'algorithm renames renamelimit context interhunkcontext mnemonicprefix noprefix colormoved colormovedws statgraphwidth statnamewidth ignoresubmodules submodule wserrorhighlight autorefreshindex relative indentheuristic dirstat wordregex suppressblankempty tool guitool srcprefix dstprefix *.xfuncname *.funcname *.wordregex *.binary *.algorithm *.cachetextconv',
    ),
    byValue: { orderfile: isInsidePath },
  },
  filter: { keys: ['*.required'], byValue: { clean: isLfs, smudge: isLfs, process: isLfs } },
  lfs: {
    keys: words(
      'repositoryformatversion url pushurl fetchinclude fetchexclude fetchrecentrefsdays fetchrecentcommitsdays fetchrecentalways concurrenttransfers basictransfersonly tustransfers allowincompletepush locksverify skipdownloaderrors storage pruneoffsetdays setlockablereadonly lockignoredfiles *.access *.locksverify',
    ),
  },
  credential: {
    keys: words('username usehttppath interactive *.username *.usehttppath *.provider'),
    byValue: { helper: isHelper },
  },
  http: {
    keys: words(
      'sslverify postbuffer lowspeedlimit lowspeedtime version followredirects maxrequests minsessions emptyauth delegation extraheader sslbackend schannelcheckrevoke *.sslverify *.postbuffer *.extraheader *.emptyauth *.followredirects',
    ),
  },
  protocol: { keys: ['version'] },
  commit: {
    keys: words('gpgsign verbose status cleanup'),
    byValue: { template: isInsidePath },
  },
  tag: { keys: words('gpgsign sort forcesignannotated') },
  gpg: { keys: words('format mintrustlevel'), byValue: { allowedsignersfile: isInsidePath } },
  log: 'all',
  blame: {
    keys: words('blankboundary coloring date showemail showroot markignoredlines markunblamablelines'),
    byValue: { ignorerevsfile: isInsidePath },
  },
  mailmap: { keys: ['blob'], byValue: { file: isInsidePath } },
  // `pager.log = less` names a program, `pager.log = false` does not.
  pager: isSwitch,
  gc: {
    keys: words(
      'auto autodetach autopacklimit bigpackthreshold pruneexpire reflogexpire reflogexpireunreachable worktreepruneexpire writecommitgraph packrefs aggressivedepth aggressivewindow cruftpacks rerereresolved rerereunresolved logexpiry',
    ),
  },
  receive: {
    keys: words(
      'denycurrentbranch denydeletes denynonfastforwards denydeletecurrent fsckobjects advertisepushoptions autogc unpacklimit',
    ),
  },
  uploadpack: {
    keys: words(
      'allowfilter allowanysha1inwant allowreachablesha1inwant allowtipsha1inwant hiderefs keepalive',
    ),
  },
  transfer: { keys: words('fsckobjects hiderefs unpacklimit') },
  interactive: { keys: ['singlekey'] },
  help: { keys: words('autocorrect format') },
  format: { keys: ['pretty'] },
  extensions: {
    keys: words(
      'worktreeconfig objectformat partialclone noop preciousobjects refstorage compatobjectformat relativeworktrees',
    ),
  },
  ssh: { keys: ['variant'] },
  safe: { keys: ['directory', 'barerepository'] },
  gitflow: { keys: ['*'], byValue: { hooks: never } },
  hooks: { keys: words('allownonascii') },
  'svn-remote': { keys: words('*.url *.fetch *.branches *.tags') },
  // What follows is read, too: see `configurationOf`.
  include: { keys: ['path'] },
  includeif: { keys: ['*.path'] },
  // An alias only matters to the command of its name.
  alias: ({ subsection, key }, { command }) =>
    command !== null && (subsection ?? key).toLowerCase() !== command.toLowerCase(),
  ...Object.fromEntries(
    words(
      'color column advice pack index status stash rerere rebase commitgraph feature checkout grep apply am notes worktree versionsort i18n pretty gui sparse add maintenance',
    ).map((section) => [section, 'all' as const]),
  ),
};
