const UNITS = ['KB', 'MB', 'GB', 'TB'] as const;
const STEP = 1_024;

/** `512 bytes`, `1.2 MB`. */
export function bytesInWords(bytes: number): string {
  if (bytes < STEP) return bytes === 1 ? '1 byte' : `${bytes} bytes`;
  let value = bytes / STEP;
  let unit = 0;
  // A little less would be rounded to "1024.0 KB".
  while (value >= STEP - 0.05 && unit < UNITS.length - 1) {
    value /= STEP;
    unit += 1;
  }
  return `${value.toFixed(1)} ${UNITS[unit]}`;
}
