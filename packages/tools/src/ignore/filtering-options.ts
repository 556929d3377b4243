import * as z from 'zod';

/** Arguments that select which ignore files a call respects. */
export const respectGitIgnore = () =>
  z.boolean().optional().describe('Exclude files named by .gitignore. Default true.');
export const respectGeminiIgnore = () =>
  z
    .boolean()
    .optional()
    .describe('Exclude files named by .geminiignore and .countersignignore. Default true.');

export const fileFilteringOptions = () =>
  z
    .strictObject({ respect_git_ignore: respectGitIgnore(), respect_gemini_ignore: respectGeminiIgnore() })
    .optional();

export type FilteringOptions = {
  readonly respect_git_ignore?: boolean | undefined;
  readonly respect_gemini_ignore?: boolean | undefined;
};

/** The names of the ignore files to respect. */
export function ignoreFileNames(options: FilteringOptions = {}): string[] {
  const { respect_git_ignore = true, respect_gemini_ignore = true } = options;
  return [
    ...(respect_git_ignore ? [GIT_IGNORE] : []),
    ...(respect_gemini_ignore ? ['.geminiignore', '.countersignignore'] : []),
  ];
}

export const GIT_IGNORE = '.gitignore';
