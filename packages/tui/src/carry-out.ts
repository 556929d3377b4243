import { nearest } from './commands/nearest.js';
import { readTyped } from './commands/slash-commands.js';
import type { TerminalPorts } from './ports.js';
import { type CommandParts, call, commandsOf, TERMINAL_COMMANDS } from './terminal-commands.js';

/** Runs what was typed. `byHand` is the text without what was pasted. */
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
  return submitPrompt(name, rest, byHand, ports);
}

/** A name that is no command of the program may be a prompt of a server. */
async function submitPrompt(name: string, rest: string, byHand: string, ports: TerminalPorts): Promise<void> {
  const { stream, prompts, model, noModel } = ports;
  const prompt = await prompts.say(name, rest);
  switch (prompt.type) {
    case 'said':
      if (model() === null) return stream.say('notice', noModel);
      // Only in what the person typed does `@` name files.
      return stream.submit(prompt.parts, byHand);
    case 'problem':
      return stream.say('notice', prompt.text);
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
