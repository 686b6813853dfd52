/** Returns a time in ISO 8601; a number that is not a time, as it is. */
export function dateText(milliseconds: number): string {
  const date = new Date(milliseconds);
  return Number.isNaN(date.getTime()) ? String(milliseconds) : date.toISOString();
}

/** Returns an age in its largest unit. */
export function ageText(milliseconds: number): string {
  const units = [
    ['d', 86_400_000],
    ['h', 3_600_000],
    ['min', 60_000],
  ] as const;
  const [unit, length] = units.find(([, unitLength]) => milliseconds >= unitLength) ?? ['s', 1000];
  return `${Math.floor(milliseconds / length)} ${unit}`;
}
