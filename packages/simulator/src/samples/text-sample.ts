import { formats as checkedFormats, type SchemaNode } from 'countersign/companion/contract';
import { type Draw, languageWord } from 'countersign/companion/patterns';
import { formatSamples, knownFormats } from './format-samples.ts';
import { NoSample } from './no-sample.ts';
import type { PatternLanguages, PatternSource } from './patterns.ts';

/** The longest text that is made. */
const maxText = 100_000;

const words = ['text', 'alpha', 'bravo', 'delta', 'echo', 'kilo', 'lima', 'oscar'] as const;

/** The choices for one value. */
export interface Choices {
  readonly draw: Draw;
  /** Whether to make the usual value, and not a random one. */
  readonly usual: boolean;
}

/**
 * Makes a text that satisfies the keywords for strings of several schemas.
 * @throws NoSample if there is none, or none within the limits
 */
export function makeText(
  nodes: readonly SchemaNode[],
  { draw, usual }: Choices,
  patterns: PatternLanguages,
): string {
  const min = Math.max(0, ...nodes.map((node) => node.number('minLength') ?? 0));
  const max = Math.min(...nodes.map((node) => node.number('maxLength') ?? Infinity));
  if (min > max) throw new NoSample('No text is as long as minLength and maxLength require.');
  if (min > maxText) throw new NoSample('The text would be too long.');
  const expressions = texts(nodes, 'pattern');
  const formats = texts(nodes, 'format');
  const fits = (text: string): boolean => {
    const length = text.length > 2 * max ? Infinity : Array.from(text).length;
    if (length < min || length > max) return false;
    return (
      expressions.every((pattern) => patterns.matches(pattern, text)) &&
      formats.every((format) => matchesFormat(format, text))
    );
  };
  const candidate = candidatesOf(formats, expressions.length > 0, [min, max], { draw, usual }).find(
    fits,
  );
  if (candidate !== undefined) return candidate;
  const languages: PatternSource[] = [
    ...expressions.map((source) => ({ source })),
    ...formats.flatMap(formatSource),
  ];
  for (const some of [languages, languages.slice(0, expressions.length)]) {
    const language = patterns.common(some);
    const word = language && languageWord(language, [min, max], draw, usual);
    if (word !== undefined) return word;
  }
  if (languages.length > 0 && patterns.common(languages) !== undefined) {
    throw new NoSample(
      `No text was found that matches ${languages.map(({ source }) => source).join(' and ')}.`,
    );
  }
  return words[0].padEnd(min, words[0]).slice(0, max);
}

/** Returns readable texts, of which the first that fits is used. */
function candidatesOf(
  formats: readonly string[],
  hasPattern: boolean,
  [min, max]: readonly [min: number, max: number],
  { draw, usual }: Choices,
): readonly string[] {
  const samplesOf = (names: readonly string[]): readonly string[] =>
    names.flatMap((format) => formatSamples(format, usual ? undefined : draw));
  const word = usual ? words[0] : draw.pick(words);
  const id = `${word}-${draw.integer(0x10_00, 0xff_ff).toString(16)}`;
  const plain = [...(usual ? [] : [id]), word];
  const filled = plain.flatMap((text) => {
    const long = text.repeat(Math.ceil(Math.max(min, 1) / text.length));
    return [long.slice(0, max), long.slice(0, Math.max(min, 1))];
  });
  // Many patterns describe a well-known format.
  const knownFormatSamples = hasPattern ? samplesOf(knownFormats) : [];
  return [...samplesOf(formats), ...plain, ...filled, ...knownFormatSamples];
}

function texts(nodes: readonly SchemaNode[], keyword: string): readonly string[] {
  return [...new Set(nodes.flatMap((node) => node.text(keyword) ?? []))];
}

function matchesFormat(name: string, text: string): boolean {
  const format = checkedFormats.get(name);
  return format?.type !== 'string' || (text.length <= maxFormatted && format.expression.test(text));
}

const maxFormatted = 1000;

function formatSource(name: string): readonly PatternSource[] {
  const format = checkedFormats.get(name);
  if (format?.type !== 'string') return [];
  const { source, flags } = format.expression;
  return [{ source, flags }];
}
