import type { HostEnvironment } from '@countersign/host';

/** `$NAME`, `${NAME}` and `${NAME:-default}`. A default holds no brace: it ends at the first. */
const VARIABLE = /\$(?:\{([A-Za-z_]\w*)(?::-([^}]*))?\}|([A-Za-z_]\w*))/g;

/**
 * A text of the settings with the variables of the environment put in. What a variable holds is not looked at again. One
 * that is not set stays as it is written and is reported to `unset`.
 */
export function expandVariables(text: string, env: HostEnvironment, unset: (name: string) => void): string {
  return text.replace(VARIABLE, (written, braced?: string, byDefault?: string, bare?: string) => {
    const name = braced ?? bare ?? '';
    // As in a shell, `:-` also counts for a variable that is set to nothing.
    const value = byDefault === undefined ? env[name] : env[name] || byDefault;
    if (value === undefined) unset(name);
    return value ?? written;
  });
}
