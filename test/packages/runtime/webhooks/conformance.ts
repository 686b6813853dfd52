import { authentication } from './conformance/authentication.ts';
import { contractRules, invalid } from './conformance/contract.ts';
import { unconforming } from './conformance/unconforming.ts';
import { delivery } from './conformance/delivery.ts';
import { mounting } from './conformance/mounting.ts';
import { bodies, heads, paths } from './conformance/requests.ts';
import { storing } from './conformance/storing.ts';
import type { Rule } from './conformance/rule.ts';

export type { Rule } from './conformance/rule.ts';

/** Everything that a receiver does behind any adapter. */
export const rules: readonly Rule[] = [
  ...heads,
  ...authentication,
  ...bodies,
  ...paths,
  ...invalid,
  ...contractRules,
  ...unconforming,
  ...delivery,
  ...storing,
  ...mounting,
];
