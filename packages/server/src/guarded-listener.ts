import { Refusal } from './contract/problems.js';
import { allowedHosts, urlOf } from './http/addresses.js';
import { sendProblem, setSafetyHeaders } from './http/answer.js';
import { problemAtDoor } from './http/door.js';
import { answerByFetch } from './http/fetch-handler.js';
import { DEFAULT_SERVER_LIMITS } from './http/limits.js';
import { type Binding, listen, schemeOf, stopListening } from './http/server.js';
import { Admissions } from './sign-in/admissions.js';
import { SignIn, type TokenSource } from './sign-in/sign-in.js';

export type GuardedOptions = {
  readonly binding: Binding;
  readonly tokens: TokenSource;
  /** `who`: unique for each token. */
  readonly handle: (request: Request, who: string) => Promise<Response>;
  /** A token was changed or removed; its open connections are closed. */
  readonly onRevoked: (who: string) => void;
  readonly onTrouble: (text: string) => void;
};

/** Another protocol over HTTP behind the same door: the same hosts, origins and tokens, and for programs only. */
export async function listenGuarded(options: GuardedOptions) {
  const { binding, tokens, handle, onRevoked, onTrouble } = options;
  const scheme = schemeOf(binding);
  const limits = DEFAULT_SERVER_LIMITS;
  const signIn = new SignIn({ tokens, limits, now: Date.now, browsers: null });
  const isValid = signIn.isValid.bind(signIn);
  const admissions = new Admissions({ isValid, onRevoked, onTrouble, watched: 'until revoked' });
  let hosts: ReadonlySet<string> = new Set();
  const { server, port } = await listen(binding, limits, (request, response) => {
    response.on('error', () => response.destroy());
    setSafetyHeaders(response, scheme);
    const problem = problemAtDoor(request, hosts, scheme);
    if (problem) return sendProblem(response, problem);
    signIn
      .whoIs(request)
      .then(({ who: { credential } }) => {
        admissions.add(credential, response);
        return answerByFetch(request, response, (given) => handle(given, credential.key));
      })
      .catch((thrown: unknown) => {
        if (!(thrown instanceof Refusal)) onTrouble(String(thrown));
        sendProblem(response, thrown instanceof Refusal ? thrown.problem : { code: 'server_fault' });
      });
  }).catch((thrown: unknown) => {
    admissions.close();
    throw thrown;
  });
  const bound = { ...binding, port, scheme };
  hosts = allowedHosts(bound);
  const close = async () => {
    admissions.close();
    await stopListening(server, CLOSING_MS);
  };
  return { url: urlOf(bound), close };
}

const CLOSING_MS = 500; // streams that a client keeps open are cut
