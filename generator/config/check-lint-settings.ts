import { type SettingCheck, describe, list, members, pattern } from './setting-checks.ts';
import { lintRuleNames } from './lint-settings.ts';

const level: SettingCheck = (value, member, problems) => {
  if (value === 'error' || value === 'warning' || value === 'off') return;
  const message = `must be \`error\`, \`warning\` or \`off\`, not ${describe(value)}`;
  problems.push({ member, message });
};

const rule: SettingCheck = (value, member, problems) => {
  if (typeof value === 'string' && lintRuleNames.includes(value)) return;
  const message = `must be the name of a rule, not ${describe(value)}`;
  const unknownName = { name: String(value), of: lintRuleNames };
  problems.push({ member, message, ...(typeof value === 'string' ? { unknownName } : {}) });
};

const exception = members(
  {
    rule,
    at: pattern(/^(?:openapi|asyncapi)#/u, 'a pointer, such as `openapi#/info`'),
    reason: pattern(/\S/u, 'the reason, as text'),
  },
  ['rule', 'at', 'reason'],
);

/** Validates `LintSettings`: every rule exists, and every exception has a reason. */
export const checkLintSettings: SettingCheck = members(
  {
    rules: members(Object.fromEntries(lintRuleNames.map((name) => [name, level])), []),
    exceptions: list(exception),
  },
  [],
);
