import { countersignVersion, makeCountersign } from './countersign.mjs';

export const name = 'countersign, SQLite';
export const version = countersignVersion;
export const make = () => makeCountersign('sqlite');
