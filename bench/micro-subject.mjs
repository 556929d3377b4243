// Our engine in the shape that an outside comparison of in-process schedulers asks for: name, version and make().
// Absent: `policy`, which judges command lines; that is not the business of the engine alone.
import { countersignVersion, makeCountersign } from './subjects/countersign.mjs';

export const name = 'countersign';
export const version = countersignVersion;

export async function make() {
  const { batch, ask, startBesideWaiting, live } = await makeCountersign('memory');
  return { batch, ask, headOfLine: startBesideWaiting, live };
}
