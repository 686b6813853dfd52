import {
  type SettingCheck,
  describe,
  list,
  members,
  oneOf,
  pattern,
} from '../diagnostics/setting-checks.ts';
import { lintRuleNames } from './lint-settings.ts';

const rule: SettingCheck = (value, at) => {
  if (typeof value === 'string' && lintRuleNames.includes(value)) return;
  const message = `must be the name of a rule, not ${describe(value)}`;
  at.report(message, typeof value === 'string' ? { name: value, of: lintRuleNames } : undefined);
};

const exception = members(
  {
    rule,
    at: pattern(/^(?:openapi|asyncapi)#/u, 'a pointer, such as `openapi#/info`'),
    reason: pattern(/\S/u, 'the reason, as text'),
  },
  ['rule', 'at', 'reason'],
);

const level = oneOf('error', 'warning', 'off');

/** Validates `LintSettings`: every rule exists, and every exception has a reason. */
export const checkLintSettings: SettingCheck = members({
  rules: members(Object.fromEntries(lintRuleNames.map((name) => [name, level]))),
  exceptions: list(exception),
});
