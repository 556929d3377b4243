import { nearest } from './commands/nearest.js';
import { readTyped } from './commands/slash-commands.js';
import type { TerminalPorts } from './ports.js';
import { type CommandParts, call, commandsOf, TERMINAL_COMMANDS } from './terminal-commands.js';

/** Does what was typed, and returns the result. `byHand` is the text without what was pasted. */
export async function carryOut(text: string, byHand: string, parts: CommandParts): Promise<void> {
  const { stream, model, noModel } = parts.ports;
  const typed = readTyped(text);
  try {
    switch (typed.type) {
      case 'nothing':
        return;
      case 'prompt':
        if (model() === null) return stream.say('notice', noModel);
        return await stream.submit(typed.text, byHand);
      case 'shell':
        return await call(parts.ports, 'run_shell_command', { command: typed.command });
      case 'command':
        return await command(typed.name, typed.rest, byHand, parts);
    }
  } catch (thrown) {
    stream.say('error', thrown instanceof Error ? thrown.message : String(thrown));
  }
}

async function command(name: string, rest: string, byHand: string, parts: CommandParts): Promise<void> {
  const { ports } = parts;
  const own = TERMINAL_COMMANDS.find((each) => each.name === (name === 'exit' ? 'quit' : name));
  if (own) return own.run(rest, parts);
  const ofProgram = ports.commands.find((each) => each.name === name);
  if (ofProgram) return ports.stream.say('notice', await ofProgram.run(rest));
  return sayPrompt(name, rest, byHand, ports);
}

/** What is no command of ours may be a prompt of a server. */
async function sayPrompt(name: string, rest: string, byHand: string, ports: TerminalPorts): Promise<void> {
  const { stream, prompts, model, noModel } = ports;
  const said = await prompts.say(name, rest);
  switch (said.type) {
    case 'said':
      if (model() === null) return stream.say('notice', noModel);
      // Only in what the person typed does `@` name files.
      return stream.submit(said.parts, byHand);
    case 'problem':
      return stream.say('notice', said.text);
    case 'unknown': {
      const near = nearest(
        name,
        commandsOf(ports).map((each) => each.name),
      ).map((each) => `/${each}`);
      const meant = near.length > 0 ? `Did you mean ${near.join(' or ')}?` : '/help lists the commands.';
      return stream.say('notice', `There is no /${name}. ${meant}`);
    }
  }
}
