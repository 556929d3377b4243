import { call, FakeModel, overStdio, says, text } from '../cli/headless-model.js';
import { OverStdio } from './exec.js';
import type { StartFrontEnd } from './front-end.js';

/** `countersign -p`, asked over stdio: a model wants the calls. */
export const startHeadless: StartFrontEnd = async ({ place, batches, policy }) => {
  const wanted = batches.map((batch, turn) =>
    says(...batch.map(({ name, args }, index) => call(name, args, `call-${turn}-${index}`))),
  );
  const model = await FakeModel.start(...wanted, says(text('Done.')));
  const running = model.start(place, overStdio('go', ...(policy ? ['--policy', policy] : [])));
  return new OverStdio(running, ({ type }) => type === 'tool_result');
};
