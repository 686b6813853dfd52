import { percent } from './styles.ts';

const redacted = '[redacted]';

/**
 * Returns a copy of an error from outside the client, with only its name, code, message, stack and cause, and without
 * secrets. Libraries attach requests to their errors, and quote header values in messages.
 */
export function redactError(error: unknown, secrets: Iterable<string>): Error | undefined {
  if (!(error instanceof Error)) return undefined;
  const pattern = patternOf(secrets);
  // An error can be its own cause.
  const seen = new Set<Error>();
  const copyOf = (original: Error): Error => {
    seen.add(original);
    const { code, cause } = original as { readonly code?: unknown; readonly cause?: unknown };
    const redact = (text: string): string => text.replaceAll(pattern, redacted);
    const copy = new Error(redact(original.message), {
      cause: cause instanceof Error && !seen.has(cause) ? copyOf(cause) : undefined,
    });
    copy.name = original.name;
    copy.stack = redact(original.stack ?? '');
    return typeof code === 'string' ? Object.assign(copy, { code: redact(code) }) : copy;
  };
  return copyOf(error);
}

/**
 * Returns a pattern that finds all written forms of the secrets, long ones first. It also finds what an earlier
 * redaction has inserted, so that a secret such as `a` does not change that.
 */
function patternOf(secrets: Iterable<string>): RegExp {
  const forms = Array.from(secrets, formsOf)
    .flat()
    .filter((form) => form !== '')
    .toSorted((a, b) => b.length - a.length);
  const texts = [redacted, ...new Set(forms)].map((text) =>
    text.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`),
  );
  return new RegExp(texts.join('|'), 'g');
}

function formsOf(secret: string): readonly string[] {
  // A lone surrogate has no form in a URL.
  const wellFormed = secret.replaceAll(/\p{Surrogate}/gu, '\ufffd');
  return [
    secret,
    encodeURIComponent(wellFormed),
    percent(wellFormed),
    new URLSearchParams([['', secret]]).toString().slice(1),
    JSON.stringify(secret).slice(1, -1),
  ];
}
