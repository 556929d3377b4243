export { type Exploration, type ExploreOptions, explore, type Move, type Violation } from './explore.js';
export type { Kernel } from './kernel.js';
export { PROPERTIES, type Property } from './properties.js';
export { MOVES_OF_SPEC } from './watch-facts.js';
export { batch, call, type World, world } from './world.js';
export { WIDE_WORLDS, WORLDS } from './worlds.js';
