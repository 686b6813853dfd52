/** Returns whether the number that `JSON.parse` returns for a literal has, in its shortest decimal, the same value. */
export function isExactNumber(literal: string): boolean {
  const double = Number(literal);
  const shortest = String(double);
  // Most long literals are what JavaScript writes for a double.
  if (shortest === literal) return true;
  return Number.isFinite(double) && toDecimal(literal) === toDecimal(shortest);
}

/** Returns the absolute value of a literal as an integer that does not end with zero, and its power of ten. */
function toDecimal(literal: string): string {
  const [, integer = '', fraction = '', power = '0'] =
    /^-?(\d+)(?:\.(\d+))?(?:e([+-]?\d+))?$/iu.exec(literal) ?? [];
  const digits = (integer + fraction).replace(/^0+/u, '');
  // A loop, because a pattern for trailing zeros takes quadratic time.
  let end = digits.length;
  while (end > 0 && digits.charCodeAt(end - 1) === 0x30) end--;
  if (end === 0) return '0';
  return `${digits.slice(0, end)}e${Number(power) - fraction.length + (digits.length - end)}`;
}
