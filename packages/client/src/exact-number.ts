/** How a number literal compares with the double that it is parsed to. */
export type Exactness =
  /** The double's shortest decimal has the same value. */
  | 'exact'
  /** The double has a different value. */
  | 'inexact'
  /** The literal is too large for a double. */
  | 'infinite';

/** Compares the literal of a JSON number with the double that `JSON.parse` returns for it. */
export function exactnessOf(literal: string): Exactness {
  const double = Number(literal);
  if (!Number.isFinite(double)) return 'infinite';
  const written = toDecimal(literal);
  const read = toDecimal(String(double));
  return written.digits === read.digits && written.exponent === read.exponent ? 'exact' : 'inexact';
}

/** The absolute value `digits × 10^exponent`, without leading or trailing zeros in `digits`. */
interface Decimal {
  readonly digits: string;
  readonly exponent: number;
}

function toDecimal(literal: string): Decimal {
  const [, whole = '', fraction = '', power = '0'] =
    /^-?(\d+)(?:\.(\d+))?(?:e([+-]?\d+))?$/iu.exec(literal) ?? [];
  const all = (whole + fraction).replace(/^0+/u, '');
  // A loop, because a pattern for trailing zeros takes quadratic time.
  let end = all.length;
  while (end > 0 && all.charCodeAt(end - 1) === 0x30) end--;
  if (end === 0) return { digits: '0', exponent: 0 };
  return {
    digits: all.slice(0, end),
    exponent: Number(power) - fraction.length + (all.length - end),
  };
}
