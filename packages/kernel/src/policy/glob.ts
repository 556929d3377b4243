/** Whether a tool pattern is more than a name. */
export const isGlob = (pattern: string): boolean => pattern.includes('*') || pattern.includes('?');

/**
 * `*` stands for any text, also none; `?` for one character; all else for
 * itself. Only the latest star is ever reconsidered, since an earlier one could
 * not do better: so the time is at most the product of both lengths.
 */
export function matchesGlob(pattern: string, text: string): boolean {
  let atPattern = 0;
  let atText = 0;
  let star = -1;
  let resumeText = 0;
  while (atText < text.length) {
    const wanted = pattern[atPattern];
    if (wanted === '*') {
      star = atPattern++;
      resumeText = atText;
    } else if (wanted === '?' || wanted === text[atText]) {
      atPattern++;
      atText++;
    } else if (star !== -1) {
      atPattern = star + 1;
      atText = ++resumeText;
    } else {
      return false;
    }
  }
  while (pattern[atPattern] === '*') atPattern++;
  return atPattern === pattern.length;
}
