import { countersignVersion, makeCountersign } from './countersign.mjs';

export const name = 'countersign, memory';
export const version = countersignVersion;
export const make = () => makeCountersign('memory');
