import { userInfo } from 'node:os';
import { TokenFile, TokenFileError } from '@countersign/server';
import { CommandFailure } from '../io/failure-text.js';
import type { Io } from '../io/io.js';

/** In the configuration directory. */
export const TOKENS_FILE = 'server-tokens.json';

export async function openTokens(path: string, io: Io): Promise<TokenFile> {
  try {
    return await TokenFile.open(path, nameOf(io), Date.now);
  } catch (thrown) {
    if (!(thrown instanceof TokenFileError)) throw thrown;
    throw new CommandFailure({
      code: 'settings_invalid',
      file: path,
      line: 1,
      column: 1,
      problem: thrown.message,
    });
  }
}

/** The name of the first token, recorded with answers from the page. */
function nameOf({ env }: Io): string {
  const name = env['USER'] || userInfo().username;
  return /^[\w.@-]{1,64}$/.test(name) ? name : 'owner';
}
