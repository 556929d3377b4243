import type * as tui from '@countersign/tui';

/** By these Ink believes that nobody looks, and draws nothing; it looks once, when it is loaded. */
const CI_VARIABLES = ['CI', 'CONTINUOUS_INTEGRATION'];

/** Whether the environment lacks some of its variables while the screen is loaded. */
export const hidesVariables = (env: NodeJS.ProcessEnv): boolean =>
  CI_VARIABLES.some((name) => env[name] !== undefined);

/**
 * What draws the screen. It is wanted only where there is a terminal, and a terminal is looked at whatever a variable
 * says: a question that is not drawn must not be there to be answered.
 */
export async function loadScreen(env: NodeJS.ProcessEnv): Promise<typeof tui> {
  const hidden = CI_VARIABLES.flatMap((name) => {
    const value = env[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  for (const [name] of hidden) delete env[name];
  try {
    return await import('@countersign/tui');
  } finally {
    for (const [name, value] of hidden) env[name] = value;
  }
}
