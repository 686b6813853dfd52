import {
  both,
  breaks,
  breaksDeployed,
  breaksUpgrade,
  type DirectedVerdicts,
  keeps,
  type Verdict,
} from './verdict.ts';

export type SchemaChangeCode =
  | 'schema-added'
  | 'schema-removed'
  | 'schema-renamed'
  | 'guards-removed'
  | 'optional-member-added'
  | 'required-member-added'
  | 'member-admitted'
  | 'member-removed'
  | 'optional-member-removed'
  | 'member-undeclared'
  | 'member-refused'
  | 'optional-member-refused'
  | 'member-required'
  | 'member-optional'
  | 'type-widened'
  | 'type-narrowed'
  | 'type-changed'
  | 'text-type-widened'
  | 'text-type-narrowed'
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
  | 'value-refused'
  | 'value-admitted'
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

const oldCode = 'Deployed code validates with the old schema and refuses';
const upgradeFirst = 'Upgrade every application before the service sends it.';

const readAnother = 'Remove the code that reads it, or read the member that replaces it.';
const missingMember = breaks(
  'It was required and can be missing now: deployed validators refuse that. Code that reads it does not compile.',
  readAnother,
);
const absentMember = breaksUpgrade(
  'Deployed code accepts its absence. Code that reads it does not compile.',
  readAnother,
);
const unreadMember = breaksUpgrade(
  'Requests with it are still valid, because the object is open, but the service need not read it. Code that sends it does not compile.',
  'Stop sending it, or send the member that replaces it.',
);
const refusedMember = breaks(
  'A request with it is refused, because the object is closed.',
  'Stop sending it, or send the member that replaces it.',
);

/** Creates the verdicts of a change after which more values are valid. */
function wider(received: Verdict): DirectedVerdicts {
  return { sent: keeps('Every request that was valid before is still valid.'), received };
}

/** Creates the verdicts of a change after which fewer values are valid. */
function narrower(
  sent: Verdict,
  received: Verdict = keeps('Every value that is still sent was valid before.'),
): DirectedVerdicts {
  return { sent, received };
}

/** The impact of changes of schemas on senders and receivers of the values. */
export const schemaVerdicts: Readonly<Record<SchemaChangeCode, DirectedVerdicts>> = {
  'schema-added': both.keeps('Nothing referred to it before.'),
  'schema-removed': both.breaksUpgrade(
    'Its type, guard and validator are no longer exported.',
    'Use the schema that replaces it, or keep a copy of the type.',
  ),
  'schema-renamed': both.breaksUpgrade(
    'Its type, guard and validator have other names.',
    'Rename the imports.',
  ),
  'guards-removed': both.breaksUpgrade(
    'Its type is still exported, but its guard and validator only with `validateUnused`.',
    'Remove the code that checks it, or set the option `validateUnused` of the target `contract`.',
  ),
  'optional-member-added': {
    sent: keeps('Requests without it are still valid.'),
    received: keeps('Code that does not read it is not affected.'),
  },
  'required-member-added': narrower(
    breaks(
      'A request without it is refused and does not compile.',
      'Add the member to every request.',
    ),
    keeps(
      'Code that does not read it is not affected.',
      'Upgrade after the service sends it: the new validator requires it.',
    ),
  ),
  'member-admitted': wider(breaksDeployed(`${oldCode} a value with the member.`, upgradeFirst)),
  'member-removed': { sent: unreadMember, received: missingMember },
  'optional-member-removed': { sent: unreadMember, received: absentMember },
  'member-undeclared': {
    sent: keeps('Requests with it are still valid.'),
    received: breaks(
      'It can still be sent, with other values or not at all: deployed validators refuse a value that is not of its old type. Its type in code is that of every undeclared member.',
      `Check the value before you use it. ${upgradeFirst}`,
    ),
  },
  'member-refused': { sent: refusedMember, received: missingMember },
  'optional-member-refused': { sent: refusedMember, received: absentMember },
  'member-required': narrower(
    breaks('A request without it is refused.', 'Add the member to every request.'),
    keeps('It was expected before, and is always present now.'),
  ),
  'member-optional': {
    sent: keeps('Requests with it are still valid.'),
    received: breaks(
      'It can be missing: deployed validators refuse that, and code that reads it does not expect it.',
      'Handle its absence, and upgrade before the service omits it.',
    ),
  },
  'type-widened': wider(
    breaks(`${oldCode} the type; code does not expect it.`, `Handle the new type. ${upgradeFirst}`),
  ),
  'type-narrowed': narrower(
    breaks(
      'Values that were valid before can be refused.',
      'Send values of the type that it has now.',
    ),
  ),
  'type-changed': both.breaks(
    'The sender and the receiver expect different types.',
    'Change the code at the same time as the service.',
  ),
  'text-type-widened': {
    sent: breaksUpgrade(
      'On the wire, every value that was valid before is still valid. Its type in code is another.',
      'Pass a text.',
    ),
    received: breaks(
      'Deployed code reads the old type, and refuses other texts.',
      `Handle the new type. ${upgradeFirst}`,
    ),
  },
  'text-type-narrowed': {
    sent: breaks(
      'Texts that are not of the new type are refused. Its type in code is another.',
      'Send values of the new type.',
    ),
    received: breaksUpgrade(
      'On the wire, every value that is still sent was valid before. Its type in code is another.',
      'Change the code that reads it.',
    ),
  },
  'enum-value-added': wider(
    breaks(
      `${oldCode} the value; a \`switch\` over all values is no longer complete.`,
      `Handle the value. ${upgradeFirst}`,
    ),
  ),
  'enum-value-removed': narrower(
    breaks('Requests with it are refused.', 'Send one of the remaining values.'),
    breaksUpgrade(
      'It is no longer sent, and code that names it does not compile.',
      'Delete the code that handles it.',
    ),
  ),
  'known-value-added': both.keeps('The value was accepted before without a name.'),
  'known-value-removed': both.breaksUpgrade(
    'The value is still accepted, but has no name in code.',
    'Compare with the value itself, or delete the comparison.',
  ),
  'enum-opened': wider(
    breaks(
      `${oldCode} values that are not listed.`,
      `Handle values without a name. ${upgradeFirst}`,
    ),
  ),
  'enum-closed': narrower(breaks('Requests with other values are refused.', 'Send listed values.')),
  'enum-name-changed': both.breaksUpgrade(
    'The value is the same; the key of its constant changed.',
    'Rename the key.',
  ),
  'const-changed': both.breaks(
    'The old value is refused.',
    'Change the code at the same time as the service.',
  ),
  'limit-tightened': narrower(
    breaks('Values that were valid before are refused.', 'Keep to the new limit.'),
  ),
  'limit-loosened': wider(
    breaksDeployed(
      `${oldCode} such values.`,
      `Check what stores such values, for example database columns. ${upgradeFirst}`,
    ),
  ),
  'rule-added': narrower(
    breaks('Values that were valid before can be refused.', 'Send values that satisfy the rule.'),
  ),
  'rule-removed': wider(
    breaks(
      `${oldCode} such values; code that relies on the rule gets others.`,
      `Do not rely on the rule. ${upgradeFirst}`,
    ),
  ),
  'rule-changed': both.breaks(
    'Some values that were valid before are refused, and others are accepted.',
    'Compare the two rules.',
  ),
  'value-refused': narrower(
    breaks('Values that were valid before are refused.', 'Compare the two schemas.'),
  ),
  'value-admitted': wider(
    breaks(`${oldCode} such values.`, `Compare the two schemas. ${upgradeFirst}`),
  ),
  'alternative-added': wider(
    breaks(
      `${oldCode} such values; code that distinguishes the alternatives does not know it.`,
      `Handle the alternative. ${upgradeFirst}`,
    ),
  ),
  'alternative-removed': narrower(
    breaks('Requests with it are refused.', 'Send one of the remaining alternatives.'),
    breaksUpgrade(
      'It is no longer sent, and code that handles it may not compile.',
      'Delete the code that handles it.',
    ),
  ),
  'default-changed': {
    sent: breaks(
      'Requests without the member have another meaning.',
      'Send the member where the old value is meant.',
    ),
    received: keeps('The sender of the value applies the default.'),
  },
  'variant-added': both.breaksDeployed(`${oldCode} the wire format.`, upgradeFirst),
  'variant-removed': both.breaksUpgrade(
    'Deliveries in this wire format are refused after the upgrade, and code that names it does not compile.',
    'Upgrade after the service stops sending it.',
  ),
  'variant-changed': both.breaksDeployed(
    'Deployed code reads the wire format as the old contract describes it.',
    'Upgrade at the same time as the service.',
  ),
  deprecated: both.keeps('It still works.', 'Plan to replace it.'),
  'deprecation-withdrawn': both.keeps('It still works.'),
  'documentation-changed': both.keeps('The values are the same.'),
  'citation-changed': both.keeps('The values are the same.'),
  'examples-changed': both.keeps('The values are the same.'),
};
