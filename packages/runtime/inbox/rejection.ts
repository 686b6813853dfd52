/** One violation of the contract by a delivery. It contains no value of the delivery. */
export interface EventViolation {
  /**
   * JSON Pointer into the received body, which contains names of its members. `undefined` in an encrypted store, because
   * a sender can choose such a name.
   */
  readonly pointer: string | undefined;
  /** The violated keyword of JSON Schema, or a keyword of the receiver, such as `kind` or `form`. */
  readonly keyword: string;
  /** What is wrong, as a phrase that follows the name of the value. */
  readonly message: string;
}

/** How a delivery violates its contract, as the worker found at the last attempt. It contains no value of the delivery. */
export interface Rejection {
  /** Why the delivery is not valid, such as `schema`. */
  readonly reason: string;
  /** The kinds that the delivery should have, or could have. At most 10. */
  readonly kinds: readonly string[];
  /** The first violations, at most 20. */
  readonly violations: readonly EventViolation[];
  /** The number of further violations that the worker found. */
  readonly omitted: number;
}

const maxKinds = 10;
const maxViolations = 20;

/** The maximum number of characters of each text. The names of members are as long as their sender likes. */
const maxTextLength = 200;

/**
 * Returns the rejection that an error has as its member `rejection`, such as the errors of a contract's worker.
 * Returns undefined for every other value. Never throws.
 */
export function rejectionOf(error: unknown): Rejection | undefined {
  if (!(error instanceof Error)) return undefined;
  try {
    return toRejection((error as { readonly rejection?: unknown }).rejection);
  } catch {
    return undefined;
  }
}

/** Reads a rejection from its column. Returns undefined if the column is empty or damaged. */
export function readRejection(json: string | undefined): Rejection | undefined {
  if (json === undefined) return undefined;
  try {
    return toRejection(JSON.parse(json));
  } catch {
    return undefined;
  }
}

/** Returns the content of the column of a rejection. */
export function writeRejection(rejection: Rejection | undefined): string | null {
  return rejection === undefined ? null : JSON.stringify(rejection);
}

/** Returns a rejection without the names that a sender can choose. */
export function withoutPointers(rejection: Rejection): Rejection {
  const violations = rejection.violations.map((violation) => ({
    ...violation,
    pointer: undefined,
  }));
  return { ...rejection, violations };
}

function toRejection(value: unknown): Rejection | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const { reason, kinds, violations, omitted = 0 } = value as Readonly<Record<string, unknown>>;
  if (typeof reason !== 'string' || !Array.isArray(kinds) || !Array.isArray(violations))
    return undefined;
  const listed = violations.slice(0, maxViolations).flatMap(toViolation);
  return {
    reason: cut(reason),
    kinds: kinds
      .slice(0, maxKinds)
      .filter((kind) => typeof kind === 'string')
      .map(cut),
    violations: listed,
    omitted:
      Math.max(0, violations.length - maxViolations) +
      (Number.isSafeInteger(omitted) ? Number(omitted) : 0),
  };
}

function toViolation(value: unknown): readonly EventViolation[] {
  if (typeof value !== 'object' || value === null) return [];
  const { pointer, keyword, message } = value as Readonly<Record<string, unknown>>;
  if (typeof keyword !== 'string' || typeof message !== 'string') return [];
  return [
    {
      pointer: typeof pointer === 'string' ? cut(pointer) : undefined,
      keyword: cut(keyword),
      message: cut(message),
    },
  ];
}

function cut(text: string): string {
  return text.length <= maxTextLength ? text : `${text.slice(0, maxTextLength - 1)}…`;
}
