/**
 * A format that is checked; any other format is an annotation. An expression is self-contained, so that generated code
 * can contain its text. Numbers are two's complement integers, as in the OpenAPI Format Registry.
 */
export type Format =
  | { readonly type: 'string'; readonly expression: RegExp }
  | { readonly type: 'number'; readonly bits: number };

/** Returns the name under which the generated runtime exports a format: `date-time` → `dateTime`. */
export function formatMember(format: string): string {
  return format.replaceAll(/-([a-z])/gu, (_, letter: string) => letter.toUpperCase());
}

/** Existing days of the proleptic Gregorian calendar: RFC 3339, 5.6 `full-date` and 5.7. */
const date =
  String.raw`(?:\d{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\d|30)|02-(?:0[1-9]|1\d|2[0-8]))` +
  String.raw`|(?:\d\d(?:0[48]|[2468][048]|[13579][26])|(?:[02468][048]|[13579][26])00)-02-29)`;

/** RFC 3339, 5.6 `full-time`. A leap second ends a UTC day. At other offsets, that can be the end of any minute. */
const offset = String.raw`[+-](?:[01]\d|2[0-3]):[0-5]\d`;
const time =
  String.raw`(?:(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d+)?(?:z|${offset})` +
  String.raw`|23:59:60(?:\.\d+)?z|(?:[01]\d|2[0-3]):[0-5]\d:60(?:\.\d+)?${offset})`;

/** RFC 1123, 2.1: labels of at most 63 characters, 253 characters in total. */
const label = '[a-z\\d](?:[a-z\\d-]{0,61}[a-z\\d])?';
const hostname = String.raw`(?=.{1,253}$)${label}(?:\.${label})*`;

/** RFC 3986, 3.2.2. */
const octet = String.raw`(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)`;
const ipv4 = String.raw`${octet}(?:\.${octet}){3}`;
const piece = '[\\da-f]{1,4}';
const tail = `(?:${piece}:${piece}|${ipv4})`;
const ipv6 = [
  `(?:${piece}:){6}${tail}`,
  `::(?:${piece}:){5}${tail}`,
  `(?:${piece})?::(?:${piece}:){4}${tail}`,
  `(?:(?:${piece}:){0,1}${piece})?::(?:${piece}:){3}${tail}`,
  `(?:(?:${piece}:){0,2}${piece})?::(?:${piece}:){2}${tail}`,
  `(?:(?:${piece}:){0,3}${piece})?::${piece}:${tail}`,
  `(?:(?:${piece}:){0,4}${piece})?::${tail}`,
  `(?:(?:${piece}:){0,5}${piece})?::${piece}`,
  `(?:(?:${piece}:){0,6}${piece})?::`,
].join('|');

/** RFC 3986, appendix A. */
const encoded = '%[\\da-f]{2}';
const unreserved = String.raw`[\w.~!$&'()*+,;=-]`;
const character = `(?:${unreserved}|[:@]|${encoded})`;
const authority =
  `(?:(?:${unreserved}|:|${encoded})*@)?` +
  String.raw`(?:\[(?:${ipv6}|v[\da-f]+\.(?:${unreserved}|:)+)\]|(?:${unreserved}|${encoded})*)(?::\d*)?`;
const rest = String.raw`(?:\?(?:${character}|[/?])*)?(?:#(?:${character}|[/?])*)?`;
const rooted = `//${authority}(?:/${character}*)*|/(?:${character}+(?:/${character}*)*)?`;
const uri = `[a-z][a-z\\d+.-]*:(?:${rooted}|${character}+(?:/${character}*)*)?${rest}`;
const segmentWithoutColon = `(?:${unreserved}|@|${encoded})+`;
const relative = `(?:${rooted}|${segmentWithoutColon}(?:/${character}*)*)?${rest}`;

/** RFC 5321, 4.1.2, without quoted local parts and address literals, which mail does not use today. */
const atom = "[\\w!#$%&'*+/=?^`{|}~-]+";
const email = String.raw`(?=.{1,254}$)(?=[^@]{1,64}@)${atom}(?:\.${atom})*@${label}(?:\.${label})*`;

/** RFC 3339, appendix A. */
const durationTime = 'T(?:\\d+H(?:\\d+M(?:\\d+S)?)?|\\d+M(?:\\d+S)?|\\d+S)';
const durationDate = '(?:\\d+Y(?:\\d+M(?:\\d+D)?)?|\\d+M(?:\\d+D)?|\\d+D)';
const duration = `P(?:${durationDate}(?:${durationTime})?|${durationTime}|\\d+W)`;

const text = (source: string, flags = 'i'): Format => ({
  type: 'string',
  expression: new RegExp(`^(?:${source})$`, flags),
});

/** The checked formats by name, sorted by code units. */
export const formats: ReadonlyMap<string, Format> = new Map([
  ['byte', text('(?:[a-z\\d+/]{4})*(?:[a-z\\d+/]{2}(?:==)?|[a-z\\d+/]{3}=?)?')],
  ['date', text(date, '')],
  ['date-time', text(`${date}t${time}`)],
  ['duration', text(duration, '')],
  ['email', text(email)],
  ['hostname', text(hostname)],
  ['int32', { type: 'number', bits: 32 }],
  ['int64', { type: 'number', bits: 64 }],
  ['ipv4', text(ipv4, '')],
  ['ipv6', text(ipv6)],
  ['json-pointer', text('(?:/(?:[^~/]|~[01])*)*', 'u')],
  ['time', text(time)],
  ['uri', text(uri)],
  ['uri-reference', text(`${uri}|${relative}`)],
  ['uuid', text('[\\da-f]{8}-(?:[\\da-f]{4}-){3}[\\da-f]{12}')],
]);

/** Returns whether a number is a two's complement integer of so many bits. */
export function isInteger(value: number, bits: number): boolean {
  const limit = 2 ** (bits - 1);
  return Number.isInteger(value) && value >= -limit && value < limit;
}
