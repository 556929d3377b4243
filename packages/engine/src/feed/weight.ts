/** About how many characters a plain value would take as JSON. It visits every part once, and spells none out. */
export function weightOf(value: unknown): number {
  let weight = 0;
  const left: unknown[] = [value];
  while (left.length > 0) {
    const each = left.pop();
    weight += PART_WEIGHT;
    if (typeof each === 'string') weight += each.length;
    else if (Array.isArray(each)) for (const item of each) left.push(item);
    else if (typeof each === 'object' && each !== null)
      for (const [key, member] of Object.entries(each)) {
        weight += key.length;
        left.push(member);
      }
  }
  return weight;
}

const PART_WEIGHT = 4; // quotes, a comma, a colon
