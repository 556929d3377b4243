import type { PolicySource } from './load-policy.js';

/** The rules that ship with the program, readable as they are. A copy for people is kept in docs/default-policy.toml. */
export const DEFAULT_POLICY = `# The rules that hold where no other rule speaks (tier "default").
#
# Rules say what is asked about. The approval modes then read them like this:
#   manual          as written
#   auto_edit       a question of this file about edits is not asked, as long as
#                   every file is an ordinary one inside the workspace
#   plan            whatever would change something is denied, unless a rule
#                   that names the mode plan in "modes" allows it
#   yolo            what would ask goes through; what is denied stays denied
#   confirm_always  every call asks
# Whatever the mode: paths outside the workspace and writes to protected files
# (.git, .env, keys, start-up files) ask. No rule can switch that off.
#
# A tool that no rule names asks if its call would change something, and is
# allowed if not. ask_user and exit_plan_mode are not here: they are questions.

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
  "read_mcp_resource",
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

# What is remembered, or loaded as instructions, steers every later answer.
[[rule]]
name = "steering"
toolName = ["save_memory", "activate_skill"]
decision = "ask_user"
priority = 10

[[rule]]
name = "running"
toolName = ["run_shell_command", "stop_background_process"]
decision = "ask_user"
priority = 10

# An address can carry out what was read.
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
