/**
 * Hooks of the kinds that Gemini CLI documents, in our own words: what people have in their projects. The settings and
 * the scripts, by their paths in the workspace.
 */
export const SETTINGS = {
  hooks: {
    SessionStart: [{ matcher: 'startup', hooks: [named('welcome', 'node .gemini/hooks/welcome.js')] }],
    BeforeAgent: [{ matcher: '*', hooks: [named('history', '.gemini/hooks/history.sh')] }],
    BeforeToolSelection: [{ matcher: '*', hooks: [named('intent', 'node .gemini/hooks/intent.js')] }],
    BeforeTool: [
      {
        matcher: 'write_file|replace',
        hooks: [
          {
            ...named('keys', '$GEMINI_PROJECT_DIR/.gemini/hooks/keys.sh'),
            timeout: 5000,
            description: 'Refuses content that looks like a key',
          },
        ],
      },
      { matcher: 'run_shell_command', hooks: [named('brake', '$GEMINI_PROJECT_DIR/.gemini/hooks/brake.sh')] },
      { matcher: '*', hooks: [named('log', '.gemini/hooks/log.sh')] },
    ],
    AfterTool: [{ matcher: 'read_.*', hooks: [named('redact', 'node .gemini/hooks/redact.js')] }],
    AfterModel: [{ matcher: '*', hooks: [named('record', 'node .gemini/hooks/record.js')] }],
    AfterAgent: [{ matcher: '*', hooks: [named('review', 'node .gemini/hooks/review.js')] }],
    SessionEnd: [{ matcher: 'exit', hooks: [named('goodbye', 'node .gemini/hooks/goodbye.js')] }],
  },
};

function named(name: string, command: string) {
  return { name, type: 'command', command };
}

const readInput = `const fs = require('node:fs');\nconst input = JSON.parse(fs.readFileSync(0, 'utf8'));`;

export const SCRIPTS: { readonly [path: string]: string } = {
  '.gemini/hooks/welcome.js': `console.error('starting');
console.log(JSON.stringify({ systemMessage: 'Assistant ready' }));`,

  '.gemini/hooks/history.sh': `#!/usr/bin/env bash
recent=$(git log -3 --oneline 2>/dev/null || echo "no history yet")
cat <<END
{ "hookSpecificOutput": { "hookEventName": "BeforeAgent", "additionalContext": "Recent commits: $recent" } }
END`,

  '.gemini/hooks/intent.js': `${readInput}
const last = input.llm_request.messages.findLast(({ role }) => role === 'user');
const names = last.content.includes('test') ? ['run_shell_command', 'read_file'] : [];
console.log(JSON.stringify(names.length === 0 ? {} : {
  hookSpecificOutput: {
    hookEventName: 'BeforeToolSelection',
    toolConfig: { mode: 'ANY', allowedFunctionNames: names },
  },
}));`,

  '.gemini/hooks/keys.sh': `#!/usr/bin/env bash
input=$(cat)
if grep -qiE 'api[_-]?key|password' <<<"$input"; then
  echo "stopped a key" >&2
  cat <<END
{
  "decision": "deny",
  "reason": "The content looks like it holds a key.",
  "systemMessage": "The scanner refused a write"
}
END
  exit 0
fi
echo '{"decision": "allow"}'`,

  '.gemini/hooks/brake.sh': `#!/usr/bin/env bash
set -e
if grep -q 'rm -rf' -; then
  echo "Deleting whole directories is not done here." >&2
  exit 2
fi
exit 0`,

  '.gemini/hooks/log.sh': `#!/usr/bin/env bash
input=$(cat)
echo "logging" >&2
echo "$input" >> .gemini/tools.log
echo "{}"
exit 0`,

  '.gemini/hooks/redact.js': `${readInput}
if (String(input.tool_response.llmContent).includes('PRIVATE')) {
  console.log(JSON.stringify({ decision: 'deny', reason: 'Left out: it is private.' }));
} else {
  console.log(JSON.stringify({
    hookSpecificOutput: {
      hookEventName: 'AfterTool',
      additionalContext: 'Checked.',
      tailToolCallRequest: { name: 'grep_search', args: { pattern: 'TODO' } },
    },
  }));
}`,

  '.gemini/hooks/record.js': `${readInput}
const path = require('node:path').join(process.env.GEMINI_PROJECT_DIR, '.gemini', 'session.jsonl');
fs.appendFileSync(path, JSON.stringify({ request: input.llm_request, response: input.llm_response }) + '\\n');
console.log(JSON.stringify({}));`,

  '.gemini/hooks/review.js': `${readInput}
console.log(JSON.stringify(
  input.prompt_response.includes('Summary:')
    ? { decision: 'allow' }
    : { decision: 'block', reason: 'Add a summary.', systemMessage: 'Asking for a summary' },
));`,

  '.gemini/hooks/goodbye.js': `console.error('saving');`,
};
