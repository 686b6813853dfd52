/** The replacement for a secret. */
const redacted = '[redacted]';

/**
 * Creates a function that removes secrets from text, in plain, JSON-escaped and URL-encoded form. Replaces the longest
 * first.
 */
export function createRedactor(secrets: Iterable<string>): (text: string) => string {
  const forms = new Set<string>();
  for (const secret of secrets) {
    if (secret === '') continue;
    for (const form of [secret, JSON.stringify(secret).slice(1, -1), encodeURIComponent(secret)])
      forms.add(form);
  }
  const ordered = [...forms].toSorted((one, other) => other.length - one.length);
  return (text) => ordered.reduce((clean, form) => clean.replaceAll(form, redacted), text);
}
