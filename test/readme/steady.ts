/** Replaces what is different each time that the simulator runs: ports, secrets, times and identifiers. */
export function steady(text: string): string {
  return text
    .replaceAll(/127\.0\.0\.1:\d+/gu, '127.0.0.1:0')
    .replaceAll(/#token=[\w-]+/gu, '#token=')
    .replaceAll(/[\da-f]{8}-[\da-f-]{27}/gu, 'id')
    .replaceAll(/(?<=simulated-\w+-|[A-Z]=)[\da-f]{12,}/gu, 'secret')
    .replaceAll(/\d\d:\d\d:\d\d\.\d{3}/gu, 'time')
    .replaceAll(/\d+(?:\.\d+)? ?ms\b/gu, '0 ms')
    .replaceAll(/(?<=duration_ms )[\d.]+/gu, '0')
    .replaceAll(/again in \d+\.\d s/gu, 'again in 0 s');
}
