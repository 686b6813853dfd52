import type { SimulatorContext } from '../context.ts';
import type { SchemeData } from '../service-description.ts';

/** Returns a signature scheme with the answers to its open questions, as `@countersign/signing` reads it. */
export function settleScheme(
  { settle }: Pick<SimulatorContext, 'settle'>,
  { signature }: SchemeData,
): unknown {
  if (signature === undefined) return undefined;
  const { algorithm, key, over, encoding, timestamp, ...rest } = signature;
  return {
    ...rest,
    algorithm: settle(algorithm),
    key: { ...key, encoding: settle(key.encoding) },
    over: over.map((part) => settle(part)),
    encoding: settle(encoding),
    ...(timestamp === undefined
      ? {}
      : {
          timestamp: {
            ...timestamp,
            format: settle(timestamp.format),
            tolerance: settle(timestamp.tolerance),
          },
        }),
  };
}
