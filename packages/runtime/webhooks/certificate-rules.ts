import { attributeNames, objectIdOf } from './distinguished-name.ts';
import { invalid, missing } from './webhook-error.ts';

/**
 * Checks a value of a rule for certificates.
 * @param rule the name of the rule, for the message
 * @throws WebhookError `invalid-option` for a value that no certificate can have
 */
export type CheckRule = (rule: string, value: unknown) => void;

/** Checks attributes of a distinguished name. */
export const checkAttributes: CheckRule = (rule, value) => {
  for (const [name, wanted] of entriesOf(rule, value, "`{ CN: 'callbacks.bank.example' }`")) {
    if (objectIdOf(name) === undefined)
      throw invalid(
        `\`${rule}\` has the unknown attribute \`${name}\`: an attribute is one of ${attributeNames.join(', ')}, or an object identifier such as 2.5.4.3`,
      );
    const values: readonly unknown[] = [wanted].flat();
    if (values.length === 0) throw invalid(`\`${name}\` of \`${rule}\` is an empty list`);
    for (const attributeValue of values) checkText(`\`${name}\` of \`${rule}\``, attributeValue);
  }
};

const altNameKinds: readonly string[] = ['dns', 'uri', 'email'];

/** Checks another name of the subject. */
export const checkAltName: CheckRule = (rule, value) => {
  const entries = entriesOf(rule, value, "`{ dns: 'callbacks.bank.example' }`");
  for (const [kind, name] of entries) {
    if (!altNameKinds.includes(kind))
      throw invalid(
        `\`${rule}\` has a name of the unknown kind \`${kind}\`: a kind is one of ${altNameKinds.join(', ')}`,
      );
    checkText(`\`${kind}\` of \`${rule}\``, name);
  }
  if (entries.length > 1)
    throw invalid(`\`${rule}\` has several kinds in one name; write a list of names instead`);
};

/** Checks the digest of a certificate. */
export const checkFingerprint: CheckRule = (rule, value) => {
  checkText(`\`${rule}\``, value);
  const digest = String(value);
  if (/^[\da-f]{2}(?::?[\da-f]{2}){19}$/iu.test(digest))
    throw invalid(
      `\`${rule}\` has as many digits as SHA-1 has; it must be a SHA-256 digest in 64 hexadecimal digits`,
    );
  if (!/^[\da-f]{2}(?::?[\da-f]{2}){31}$/iu.test(digest))
    throw invalid(
      `\`${rule}\` must be a SHA-256 digest in 64 hexadecimal digits, with or without colons`,
    );
};

/** Returns the members of an object that has at least one. */
function entriesOf(
  rule: string,
  value: unknown,
  example: string,
): readonly (readonly [string, unknown])[] {
  if (value === undefined || value === '') throw missing(`\`${rule}\``);
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
  const entries: readonly (readonly [string, unknown])[] = isObject ? Object.entries(value) : [];
  if (entries.length === 0)
    throw invalid(`\`${rule}\` must be an object such as ${example}, or a list of such objects`);
  return entries;
}

function checkText(what: string, value: unknown): void {
  if (value === undefined || value === null) throw missing(what);
  if (typeof value !== 'string') throw invalid(`${what} must be a text`);
  if (value.trim() === '') throw missing(what);
}
