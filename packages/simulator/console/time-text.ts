/** Returns the time of day, with milliseconds. */
export function timeOfDay(at: number): string {
  const date = new Date(at);
  const digits = (value: number, count = 2): string => String(value).padStart(count, '0');
  return `${digits(date.getHours())}:${digits(date.getMinutes())}:${digits(date.getSeconds())}.${digits(date.getMilliseconds(), 3)}`;
}

/** Returns a duration in milliseconds, or in seconds where it is long. */
export function durationText(milliseconds: number): string {
  if (milliseconds >= 10_000) return `${(milliseconds / 1000).toFixed(1)} s`;
  return `${milliseconds >= 10 ? Math.round(milliseconds) : milliseconds.toFixed(1)} ms`;
}
