export { type Exploration, type ExploreOptions, explore, type Move, type Violation } from './explore.js';
export { MOVES_OF_SPEC } from './watch/watch-facts.js';
export type { Kernel } from './world/kernel.js';
export { PROPERTIES, type Property } from './world/properties.js';
export { batch, call, type World, world } from './world/world.js';
export { WIDE_WORLDS, WORLDS } from './world/worlds.js';
