import { countersignVersion, makeCountersign } from './countersign.mjs';

export const name = 'memory';
export const version = countersignVersion;
export const make = () => makeCountersign('memory');
