import type * as tui from '@countersign/tui';

/** Ink draws nothing if these are set; it reads them once, when it is loaded. */
const CI_VARIABLES = ['CI', 'CONTINUOUS_INTEGRATION'];

/** Whether the environment lacks some of its variables while the screen is loaded. */
export const hidesVariables = (env: NodeJS.ProcessEnv): boolean =>
  CI_VARIABLES.some((name) => env[name] !== undefined);

/**
 * Loads the screen with those variables hidden: it is used only in a terminal, and every open question must be
 * drawn.
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
