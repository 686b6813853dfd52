import { expect, test } from 'vitest';
import { admitsDecimal } from '../../generator/patterns/decimal-pattern.ts';

test.each([
  String.raw`^\d{1,10}\.\d{2}$`,
  String.raw`^\d+(\.\d+)?$`,
  '^-?(?:0|[1-9][0-9]*)(?:[.,][0-9]{1,2})?$',
  String.raw`^\d{1,3}(?:\.\d{3})*,\d{2}$`,
  '^[0-9.]+$',
  '^[-+0-9.eE]+$',
  // Without the escape that its author meant.
  String.raw`^\d+.\d{2}$`,
  String.raw`^.+\.\d{2}$`,
  String.raw`^R\$ ?\d+,\d{2}$`,
  String.raw`^[A-Z]{3} \d+\.\d{2}$`,
  String.raw`^(?:\d+\.\d{2}|unknown)$`,
  String.raw`^(?=\d+\.\d{2}$).+$`,
  String.raw`^(?!0\.00$)\d+\.\d\d$`,
  String.raw`\d+\.\d{2}`,
  String.raw`^\d*\.?\d*$`,
  String.raw`^(?:\d|\.)+$`,
  // Not analyzed.
  String.raw`^(\d)\.\1$`,
])('%s is one for decimal numbers', (pattern) => {
  expect(admitsDecimal(pattern)).toBe(true);
});

test.each([
  String.raw`^\d{11}$`,
  '^[a-zA-Z0-9]{32}$',
  '^[0-9a-f-]{36}$',
  String.raw`^\d{4}-\d{2}-\d{2}$`,
  '^.{1,140}$',
  String.raw`^\S+$`,
  String.raw`^[\w.-]+$`,
  String.raw`^[\w-]+(?:\.[\w-]+)*$`,
  String.raw`^\S+@\S+\.\S+$`,
  '^[A-Z]{2}[0-9]{2}[A-Z0-9]{11,30}$',
  String.raw`^\d+\.$`,
  '^[.,]+$',
  String.raw`^\d\d$`,
  '',
])('%s is not', (pattern) => {
  expect(admitsDecimal(pattern)).toBe(false);
});

test('nested repetitions take no exponential time', () => {
  const pattern = `^${'(?:'.repeat(49)}a${')*'.repeat(49)}$`;
  expect(admitsDecimal(pattern)).toBe(false);
});
