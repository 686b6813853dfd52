import type { Draw } from 'countersign/companion/patterns';

/**
 * Returns texts of a format, the usual one first; none for a format that is not known. The formats that are checked are
 * in `formats.ts`; the others are annotations, for which any text is valid.
 */
export function formatSamples(format: string, draw: Draw | undefined): readonly string[] {
  return samples.get(format)?.(draw) ?? [];
}

const digits = (draw: Draw | undefined, usual: number, from: number, to: number): string =>
  String(draw?.integer(from, to) ?? usual).padStart(2, '0');
const hex = (draw: Draw, length: number): string =>
  Array.from({ length }, () => draw.integer(0, 15).toString(16)).join('');
const word = (draw: Draw | undefined): string => draw?.pick(words) ?? 'example';
const words = ['alpha', 'bravo', 'delta', 'echo', 'kilo', 'lima', 'oscar', 'sierra'] as const;

const date = (draw: Draw | undefined): string =>
  `${draw?.integer(2024, 2027) ?? 2026}-${digits(draw, 1, 1, 12)}-${digits(draw, 15, 1, 28)}`;
const time = (draw: Draw | undefined): string =>
  `${digits(draw, 9, 0, 23)}:${digits(draw, 30, 0, 59)}:${digits(draw, 0, 0, 59)}Z`;
const uuid = (draw: Draw | undefined): string =>
  draw === undefined
    ? '0e4bd3a2-7c51-4f6a-9b8d-1f2e3c4d5a6b'
    : `${hex(draw, 8)}-${hex(draw, 4)}-4${hex(draw, 3)}-a${hex(draw, 3)}-${hex(draw, 12)}`;
const host = (draw: Draw | undefined): string =>
  draw === undefined ? 'example.com' : `${word(draw)}.example.com`;
const uri = (draw: Draw | undefined): readonly string[] => [
  `https://${host(draw)}/${word(draw)}`,
  'https://example.com',
  'urn:a',
];

const samples: ReadonlyMap<string, (draw: Draw | undefined) => readonly string[]> = new Map<
  string,
  (draw: Draw | undefined) => readonly string[]
>([
  ['date-time', (draw) => [`${date(draw)}T${time(draw)}`, `${date(draw)}T09:30:00.000Z`]],
  ['date', (draw) => [date(draw)]],
  ['time', (draw) => [time(draw)]],
  ['duration', (draw) => [`PT${draw?.integer(1, 59) ?? 30}M`, 'P1D']],
  ['uuid', (draw) => [uuid(draw)]],
  ['email', (draw) => [`${word(draw)}@example.com`, 'a@b.co']],
  ['idn-email', (draw) => [`${word(draw)}@example.com`]],
  ['hostname', (draw) => [host(draw), 'a']],
  ['idn-hostname', (draw) => [host(draw)]],
  ['ipv4', (draw) => [`192.0.2.${draw?.integer(1, 254) ?? 1}`]],
  ['ipv6', (draw) => [`2001:db8::${(draw?.integer(1, 9999) ?? 1).toString(16)}`, '::1']],
  ['uri', uri],
  ['url', uri],
  ['iri', uri],
  ['uri-reference', (draw) => [...uri(draw), `/${word(draw)}`, 'a']],
  ['uri-template', (draw) => [`https://${host(draw)}/${word(draw)}{/id}`]],
  ['json-pointer', (draw) => [`/${word(draw)}`, '']],
  ['byte', (draw) => [btoa(word(draw)), 'YQ==', '']],
  ['regex', () => ['^[a-z]+$']],
]);

/** The names of all formats with samples. */
export const knownFormats: readonly string[] = [...samples.keys()];
