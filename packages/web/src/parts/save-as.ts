/** Long enough for a browser to have begun with the file. */
const BEGUN_MS = 60_000;

/** Has the browser save what the page has fetched: a plain link would go without what makes the browser known. */
export function saveAs(content: Blob, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(content);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), BEGUN_MS);
}
