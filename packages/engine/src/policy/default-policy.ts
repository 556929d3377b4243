import type { PolicySource } from './load-policy.js';

/** The rules that ship with the program, readable as they are. A copy for people is kept in docs/default-policy.toml. */
export const DEFAULT_POLICY = `# The default rules: they apply where no other rule matches (tier "default").
#
# Rules decide which calls ask. The approval mode then changes the decision:
#   manual          the rules apply as written
#   auto_edit       edits that only this file asks about are allowed if every
#                   file is an ordinary one inside the workspace
#   plan            calls that make changes are denied, unless a rule with the
#                   mode "plan" in "modes" allows them; plans in
#                   .countersign/plans/*.md may be written
#   yolo            calls that would ask are allowed; denied calls stay denied
#   confirm_always  every call asks
# In every mode, paths outside the workspace and writes to protected files
# (.git, .env, keys, start-up files) ask. No rule can disable that.
#
# A tool that no rule names asks if its call would make a change, and is
# allowed otherwise. ask_user and exit_plan_mode are questions to the user:
# rules can deny them, but no rule and no mode answers them.

[[rule]]
name = "reading"
toolName = [
  "read_file",
  "read_many_files",
  "list_directory",
  "glob",
  "grep_search",
  "list_background_processes",
  "read_background_output",
  "list_mcp_resources",
  "google_web_search",
]
decision = "allow"
priority = 50

[[rule]]
name = "keeping track"
toolName = ["write_todos", "update_topic"]
decision = "allow"
priority = 50

[[rule]]
name = "editing"
toolName = ["write_file", "replace"]
decision = "ask_user"
priority = 10

# Saved facts and loaded instructions influence every later response.
[[rule]]
name = "steering"
toolName = ["save_memory", "activate_skill"]
decision = "ask_user"
priority = 10

# Plan mode ends when the user approves the plan.
[[rule]]
name = "planning"
toolName = "enter_plan_mode"
decision = "ask_user"
priority = 10

[[rule]]
name = "planning without a user"
toolName = "enter_plan_mode"
interactive = false
decision = "deny"
priority = 20
denyMessage = "No user is attached to approve a plan, so plan mode could not be exited. Continue without it."

# Denied under a condition, so that both tools stay declared when the mode changes.
[[rule]]
name = "planning already"
toolName = "enter_plan_mode"
modes = ["plan"]
interactive = true
decision = "deny"
priority = 20
denyMessage = "Plan mode is already on. Write the plan, then call exit_plan_mode."

[[rule]]
name = "not planning"
toolName = "exit_plan_mode"
modes = ["manual", "auto_edit", "yolo", "confirm_always"]
interactive = true
decision = "deny"
priority = 20
denyMessage = "Plan mode is not on, so it cannot be exited. Continue the work, or call enter_plan_mode first."

# Read-only commands, by program and subcommand. Each command of a line is
# evaluated separately. Options that make such a program do more than read (a
# redirection, find -delete, git -c, sed -i, a pager) still ask, and so do paths
# outside the workspace, secrets, and programs that a repository configures.
[[rule]]
name = "looking around"
toolName = "run_shell_command"
commandPrefix = [
  "ls", "cat", "head", "tail", "wc", "nl", "tac", "rev", "cut", "tr", "paste", "join", "comm", "fold", "column",
  "sort", "uniq", "diff", "cmp", "grep", "egrep", "fgrep", "rg", "find", "fd", "sed", "awk", "jq",
  "stat", "file", "tree", "du", "df", "realpath", "readlink", "basename", "dirname", "which", "type",
  "md5sum", "sha1sum", "sha256sum", "sha512sum", "cksum", "od", "hexdump", "strings", "zcat",
  "tar tf", "tar tvf", "tar tzf", "tar tvzf", "tar -tf", "tar -tvf", "tar -tzf", "tar -tvzf", "unzip -l",
  "echo", "printf", "read", "pwd", "cd", "seq", "expr", "sleep", "whoami", "id", "uname", "printenv",
  "date", "ps", "free", "lscpu", "groups", "tty", "arch",
  "git status", "git log", "git diff", "git show", "git blame", "git shortlog", "git describe", "git grep",
  "git ls-files", "git ls-tree", "git rev-parse", "git rev-list", "git merge-base", "git cat-file",
  "git check-ignore", "git stash list", "git stash show", "git worktree list", "git config --get", "git config --get-all", "git config --get-regexp", "git config --list",
  "git show-ref", "git name-rev", "git cherry", "git count-objects", "git for-each-ref", "git diff-tree", "git reflog show",
  "git branch --list", "git branch --contains", "git branch --merged", "git branch --no-merged", "git tag --list", "git tag -l",
  "git remote get-url",
  "npm ls", "npm list", "npm why", "npm explain", "npm root", "npm prefix", "npm config get", "npm config list", "npm pkg get",
  "go list", "go version", "go env", "go doc", "cargo tree", "docker ps", "docker images",
  "pip list", "pip show", "pip freeze", "pip3 list", "pip3 show", "pip3 freeze",
]
decision = "allow"
priority = 50

[[rule]]
name = "looking around, exactly so"
toolName = "run_shell_command"
commandExact = [
  "hostname", "uptime", "nproc", "env", "alias", "umask", "ulimit -a", "npm run",
  "git branch", "git branch -a", "git branch -r", "git branch -v", "git branch -vv", "git branch --show-current",
  "git branch --all", "git branch --remotes", "git branch -av", "git branch -avv", "git branch -rv",
  "git branch --sort=-committerdate", "git branch -a --sort=-committerdate", "git tag --sort=-creatordate",
  "git tag --sort=-v:refname", "git tag --sort=-version:refname", "git tag -n", "git config user.name", "git config user.email",
  "git remote", "git remote -v", "git tag", "git config -l", "git reflog", "git --version",
]
decision = "allow"
priority = 50

[[rule]]
name = "asking for a version"
toolName = "run_shell_command"
commandExact = [
  "node --version", "npm --version", "npx --version", "pnpm --version", "yarn --version", "bun --version",
  "deno --version", "tsc --version", "python --version", "python3 --version", "pip --version",
  "pip3 --version", "ruby --version", "gem --version", "rustc --version", "cargo --version", "java --version",
  "javac --version", "gcc --version", "clang --version", "make --version", "cmake --version",
  "docker --version", "bash --version", "rg --version", "jq --version", "curl --version", "node -v", "npm -v",
  "pnpm -v", "yarn -v", "tsc -v", "python3 -V", "cargo -V", "rustc -V", "java -version",
]
decision = "allow"
priority = 50

# Any other command asks: no rule matches it, and its effects are not known.
[[rule]]
name = "running"
toolName = "stop_background_process"
decision = "ask_user"
priority = 10

# A URL can send out data that was read.
[[rule]]
name = "fetching"
toolName = "web_fetch"
decision = "ask_user"
priority = 10
`;

export const DEFAULT_POLICY_SOURCE: Required<PolicySource> = {
  file: 'default-policy.toml',
  tier: 'default',
  text: DEFAULT_POLICY,
};
