import { ProxyError, proxiedFetch } from '@countersign/host';
import {
  chooseModel,
  HOSTED,
  type KeyPlaces,
  keyOf,
  keySource,
  type ModelChoice,
  type ModelPreferences,
} from '@countersign/models';
import { explain } from '@countersign/protocol';
import { type Check, note, ok, problem } from './check.js';
import { addressText } from './without-secrets.js';

/** For the response of a provider. */
const ANSWER_MS_MAX = 3_000;

/** Which model would be used, why, and whether it can be reached. The check only lists models, which is free. */
export async function checkModel(preferences: ModelPreferences): Promise<Check> {
  // A local model has a second to answer.
  const chosen = await chooseModel(preferences, new AbortController().signal);
  if (!chosen.ok) {
    const { message, hint } = explain(chosen.failure);
    // Commands and tool calls work without a model.
    return preferences.flag === null && preferences.settings.model === null
      ? note('model', message, hint)
      : problem('model', message, hint);
  }
  const { provider, model, baseUrl, credential, why } = chosen.choice;
  const key = credential ? `key from ${credential.from}` : 'no key';
  const isNamed = credential !== null && why.includes(credential.from);
  const what = `${model} of ${provider}, since ${why}${isNamed ? '' : ` (${key})`}.`;
  const where = addressText(baseUrl);
  const reached = await reach(chosen.choice);
  switch (reached.type) {
    case 'answered':
      return ok('model', `${what} ${where} answers.`);
    case 'refused':
      return problem(
        'model',
        `${what} ${where} does not accept the key (HTTP ${reached.status}).`,
        credential
          ? `Check the value ${/^\w+$/.test(credential.from) ? 'of' : 'in'} ${credential.from}.`
          : 'Set a key for it.',
      );
    case 'failing':
      return note('model', `${what} ${where} responds with HTTP ${reached.status}.`, 'Try again later.');
    case 'unreachable':
      return problem(
        'model',
        `${what} ${where} cannot be reached: ${reached.why}.`,
        'Check the network and the address.',
      );
  }
}

/** The source of each key, never the key. */
export async function checkKeys(places: KeyPlaces): Promise<readonly Check[]> {
  const checks: Check[] = [];
  for (const kind of HOSTED) {
    const source = keySource(kind, places);
    const key = await keyOf(kind, places, new AbortController().signal);
    if (source === null || key === null) continue;
    const name = `key of ${kind}`;
    const path = source.type === 'file' ? `, ${source.path}` : '';
    checks.push(
      key.ok ? ok(name, `Source: ${key.credential.from}${path}.`) : problem(name, key.problem, key.fix),
    );
  }
  return checks;
}

type Reached =
  | { readonly type: 'answered' }
  | { readonly type: 'refused' | 'failing'; readonly status: number }
  | { readonly type: 'unreachable'; readonly why: string };

async function reach(choice: ModelChoice): Promise<Reached> {
  const { url, headers } = listRequest(choice);
  try {
    const signal = AbortSignal.timeout(ANSWER_MS_MAX);
    // A redirect would send the key to another server.
    const { status, body } = await proxiedFetch(new URL(url), { headers, signal });
    await body?.cancel();
    // Google responds with 400 to an unknown key.
    const isRefused = status === 401 || status === 403 || (status === 400 && choice.provider === 'gemini');
    if (isRefused) return { type: 'refused', status };
    return status >= 500 ? { type: 'failing', status } : { type: 'answered' };
  } catch (thrown) {
    return { type: 'unreachable', why: reasonOf(thrown) };
  }
}

function listRequest({ provider, baseUrl, credential }: ModelChoice): {
  readonly url: string;
  readonly headers: Record<string, string>;
} {
  const base = baseUrl.replace(/\/+$/, '');
  switch (provider) {
    case 'gemini':
      return {
        url: `${/\/v\d\w*$/.test(base) ? base : `${base}/v1beta`}/models?pageSize=1`,
        headers: credential ? { 'x-goog-api-key': credential.value } : {},
      };
    case 'anthropic':
      return {
        url: `${base}/v1/models?limit=1`,
        headers: { 'anthropic-version': '2023-06-01', ...(credential && { 'x-api-key': credential.value }) },
      };
    case 'openai':
    case 'ollama':
      return {
        url: `${base}/models`,
        headers: credential ? { authorization: `Bearer ${credential.value}` } : {},
      };
  }
}

/** Only a name or a code: a message may repeat the address, and with it a password. */
function reasonOf(thrown: unknown): string {
  if (!(thrown instanceof Error)) return 'for an unknown reason';
  if (thrown.name === 'TimeoutError') return `no response within ${ANSWER_MS_MAX / 1000} s`;
  const { cause } = thrown;
  if (cause instanceof ProxyError) return cause.message;
  const code = codeOf(cause) ?? codeOf(thrown);
  if (code !== null) return WORDS[code] === undefined ? code : `${WORDS[code]} (${code})`;
  // Words of our own platform, such as "bad port", are safe to repeat; an address is not.
  return cause instanceof Error && /^[\w ,.-]+$/.test(cause.message) ? cause.message : thrown.name;
}

/** `fetch` wraps the error of the system, and several of them where a name has several addresses. */
function codeOf(error: unknown): string | null {
  if (!(error instanceof Error)) return null;
  if ('code' in error && typeof error.code === 'string') return error.code;
  return error instanceof AggregateError ? codeOf(error.errors[0]) : null;
}

const WORDS: { readonly [code: string]: string } = {
  ECONNREFUSED: 'nothing listens there',
  ENOTFOUND: 'there is no host of that name',
  EAI_AGAIN: 'the name server did not respond',
  ERR_INVALID_URL: 'its base URL is not an address',
};
