import { both, breaks, breaksDeployed, breaksUpgrade, type ChangeRule, keeps } from './verdict.ts';

export type SchemaChangeCode =
  | 'schema-added'
  | 'schema-removed'
  | 'schema-renamed'
  | 'optional-member-added'
  | 'required-member-added'
  | 'member-admitted'
  | 'member-removed'
  | 'member-required'
  | 'member-optional'
  | 'type-widened'
  | 'type-narrowed'
  | 'type-changed'
  | 'enum-value-added'
  | 'enum-value-removed'
  | 'known-value-added'
  | 'known-value-removed'
  | 'enum-opened'
  | 'enum-closed'
  | 'enum-name-changed'
  | 'const-changed'
  | 'limit-tightened'
  | 'limit-loosened'
  | 'rule-added'
  | 'rule-removed'
  | 'rule-changed'
  | 'alternative-added'
  | 'alternative-removed'
  | 'default-changed'
  | 'variant-added'
  | 'variant-removed'
  | 'variant-changed'
  | 'deprecated'
  | 'deprecation-withdrawn'
  | 'documentation-changed'
  | 'citation-changed'
  | 'examples-changed';

const refusedByOldReceivers =
  'Receivers that run today validate by the old schema and refuse such a value';
const upgradeFirst = 'Upgrade every receiver before the service sends it.';

/** The effects of changes of schemas on senders and receivers of the values. */
export const schemaRules: Readonly<Record<SchemaChangeCode, ChangeRule>> = {
  'schema-added': both('A schema is new.', keeps('Nothing referred to it before.')),
  'schema-removed': both(
    'A schema is gone.',
    breaksUpgrade(
      'Its type, guard and validator are no longer exported.',
      'Use the schema that took its place, or keep a copy of the type.',
    ),
  ),
  'schema-renamed': both(
    'A schema has another name and is the same otherwise.',
    breaksUpgrade('Type, guard and validator have another name.', 'Rename the imports.'),
  ),
  'optional-member-added': {
    title: 'A member may be there that was unknown before.',
    sent: keeps('It may be left out, as before.'),
    received: keeps('Whoever does not read it is not affected: unknown members pass.'),
  },
  'required-member-added': {
    title: 'A member must be there that was unknown before.',
    sent: breaks(
      'A request without it is refused, and its type does not compile without it.',
      'Give the member in every request.',
    ),
    received: keeps(
      'There is one member more; whoever does not read it is not affected.',
      'Upgrade once the service sends it: the new validator demands it.',
    ),
  },
  'member-admitted': {
    title: 'A member is new in an object that allowed no unknown ones.',
    sent: keeps('What was sent before is still valid.'),
    received: breaksDeployed(
      `${refusedByOldReceivers} with a member that it does not know.`,
      upgradeFirst,
    ),
  },
  'member-removed': {
    title: 'A member is no longer described.',
    sent: breaksUpgrade(
      'The service ignores or refuses it, and code that gives it no longer compiles.',
      'Stop sending it.',
    ),
    received: breaks(
      'Code that reads it finds nothing, and no longer compiles.',
      'Do without it, or read what took its place.',
    ),
  },
  'member-required': {
    title: 'A member that could be left out must be there.',
    sent: breaks('A request without it is refused.', 'Give the member in every request.'),
    received: keeps('It was expected already; now it is always there.'),
  },
  'member-optional': {
    title: 'A member that had to be there can be missing.',
    sent: keeps('Giving it stays right.'),
    received: breaks(
      'It can be missing: validators that run today refuse that, and code that reads it does not expect it.',
      'Handle its absence, and upgrade before the service leaves it out.',
    ),
  },
  'type-widened': {
    title: 'A value can have more types, null among them.',
    sent: keeps('What was sent before is still valid.'),
    received: breaks(
      `${refusedByOldReceivers}; code does not expect the type.`,
      `Handle the new type. ${upgradeFirst}`,
    ),
  },
  'type-narrowed': {
    title: 'A value can have fewer types.',
    sent: breaks('What was sent before can be refused.', 'Send one of the types that are left.'),
    received: keeps('Every value that still comes was expected before.'),
  },
  'type-changed': both(
    'A value has another type.',
    breaks(
      'What one side means the other no longer reads.',
      'Change the code together with the service.',
    ),
  ),
  'enum-value-added': {
    title: 'A closed enumeration has one value more.',
    sent: keeps('It may be sent; nobody has to.'),
    received: breaks(
      `${refusedByOldReceivers}; a complete \`switch\` over the values is complete no longer.`,
      `Handle the value. ${upgradeFirst}`,
    ),
  },
  'enum-value-removed': {
    title: 'A closed enumeration has one value less.',
    sent: breaks('Requests with it are refused.', 'Send one of the values that are left.'),
    received: breaksUpgrade(
      'It does not come any more; code that names it no longer compiles.',
      'Delete the code that handles it.',
    ),
  },
  'known-value-added': both(
    'An open enumeration names one value more.',
    keeps('Values without a name passed before; this one has a name now.'),
  ),
  'known-value-removed': both(
    'An open enumeration names one value less.',
    breaksUpgrade(
      'The value still passes, but its name is gone from the code.',
      'Compare with the value itself, or delete the comparison.',
    ),
  ),
  'enum-opened': {
    title: 'Values beyond those listed are accepted.',
    sent: keeps('Values that were sent before are still valid.'),
    received: breaks(
      `${refusedByOldReceivers} when it is not listed.`,
      `Handle values that have no name. ${upgradeFirst}`,
    ),
  },
  'enum-closed': {
    title: 'Values beyond those listed are refused.',
    sent: breaks('Requests with other values are refused.', 'Send listed values only.'),
    received: keeps('What comes was allowed before.'),
  },
  'enum-name-changed': both(
    'A value of an enumeration has another name in code.',
    breaksUpgrade(
      'The value travels as before; the key of the constant is another.',
      'Rename the key.',
    ),
  ),
  'const-changed': both(
    'A constant has another value.',
    breaks('The old value is refused.', 'Change the code together with the service.'),
  ),
  'limit-tightened': {
    title: 'A limit allows fewer values.',
    sent: breaks('Values that passed before are refused.', 'Keep to the new limit.'),
    received: keeps('Every value that still comes was expected before.'),
  },
  'limit-loosened': {
    title: 'A limit allows more values.',
    sent: keeps('What was sent before is still valid.'),
    received: breaksDeployed(
      `${refusedByOldReceivers}.`,
      `Make room for such values, as in columns of a database. ${upgradeFirst}`,
    ),
  },
  'rule-added': {
    title: 'A value has to satisfy one rule more.',
    sent: breaks('Values that passed before can be refused.', 'Satisfy the rule.'),
    received: keeps('Every value that still comes was expected before.'),
  },
  'rule-removed': {
    title: 'A value has to satisfy one rule less.',
    sent: keeps('What was sent before is still valid.'),
    received: breaks(
      `${refusedByOldReceivers}, and code that relied on the rule meets others.`,
      `Do without the rule. ${upgradeFirst}`,
    ),
  },
  'rule-changed': both(
    'A rule is another, and neither allows all that the other does.',
    breaks(
      'Some values that passed before are refused, and some others pass.',
      'Compare the two rules.',
    ),
  ),
  'alternative-added': {
    title: 'A value can have one form more.',
    sent: keeps('What was sent before is still valid.'),
    received: breaks(
      `${refusedByOldReceivers}; code that tells the forms apart does not know it.`,
      `Handle the form. ${upgradeFirst}`,
    ),
  },
  'alternative-removed': {
    title: 'A value can have one form less.',
    sent: breaks('Requests in this form are refused.', 'Use one of the forms that are left.'),
    received: breaksUpgrade(
      'It does not come any more; code that handles it may no longer compile.',
      'Delete the code that handles it.',
    ),
  },
  'default-changed': {
    title: 'What holds when a member is left out is another value.',
    sent: breaks(
      'Requests that leave it out mean something else now.',
      'Give the member wherever the old value is meant.',
    ),
    received: keeps('Whoever sends the value fills it in.'),
  },
  'variant-added': both(
    'The value can travel in one form more.',
    breaksDeployed(`${refusedByOldReceivers}.`, upgradeFirst),
  ),
  'variant-removed': both(
    'The value can travel in one form less.',
    breaksUpgrade(
      'Deliveries in this form are refused after the upgrade; code that names it no longer compiles.',
      'Upgrade after the service has stopped sending it.',
    ),
  ),
  'variant-changed': both(
    'Another form of the value is recognised or read in another way.',
    breaksDeployed(
      'Receivers that run today read it as the old contract says.',
      'Upgrade at the same time as the service.',
    ),
  ),
  deprecated: both(
    'It is not to be used any more.',
    keeps('It works as before.', 'Move away from it.'),
  ),
  'deprecation-withdrawn': both('It may be used again.', keeps('It works as before.')),
  'documentation-changed': both('Its description is another.', keeps('Values are the same.')),
  'citation-changed': both('It cites other sections.', keeps('Values are the same.')),
  'examples-changed': both('Its examples are others.', keeps('Values are the same.')),
};
