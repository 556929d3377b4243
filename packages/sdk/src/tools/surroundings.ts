import type { Config } from '../config/config.js';

/** What a tool of the class or plain style finds around it when the engine uses it. */
export type Surroundings = {
  readonly config: Config;
  /** Whether the live output of a call has a listener. */
  readonly wantsOutput: () => boolean;
};
