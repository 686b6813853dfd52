import { type Check, describe, list, members, pattern } from './config-shape.ts';
import { lintRuleNames } from './lint-settings.ts';

const level: Check = (value, member, problems) => {
  if (value === 'error' || value === 'warning' || value === 'off') return;
  const message = `\`error\`, \`warning\` or \`off\` is needed, not ${describe(value)}`;
  problems.push({ member, message });
};

const rule: Check = (value, member, problems) => {
  if (typeof value === 'string' && lintRuleNames.includes(value)) return;
  const message = `a rule is needed, not ${describe(value)}`;
  const meant = { name: String(value), of: lintRuleNames };
  problems.push({ member, message, ...(typeof value === 'string' ? { meant } : {}) });
};

const exception = members(
  {
    rule,
    at: pattern(/^(?:openapi|asyncapi)#/u, 'a place, such as `openapi#/info`,'),
    reason: pattern(/\S/u, 'a reason, for those who read this,'),
  },
  ['rule', 'at', 'reason'],
);

/** Validates `LintSettings`: every rule exists, and every exception has a reason. */
export const checkLintSettings: Check = members(
  {
    rules: members(Object.fromEntries(lintRuleNames.map((name) => [name, level])), []),
    exceptions: list(exception),
  },
  [],
);
