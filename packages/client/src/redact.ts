/**
 * Returns a copy of an error from outside the client, with only its name, code, message, stack and cause, and without
 * secrets. Libraries attach requests to their errors, and quote header values in messages.
 */
export function redactError(error: unknown, secrets: Iterable<string>): Error | undefined {
  if (!(error instanceof Error)) return undefined;
  const redact = (text: string): string => {
    let redacted = text;
    for (const secret of secrets) {
      for (const form of [
        secret,
        encodeURIComponent(secret),
        new URLSearchParams([['', secret]]).toString().slice(1),
        JSON.stringify(secret).slice(1, -1),
      ]) {
        if (form !== '') redacted = redacted.replaceAll(form, '[redacted]');
      }
    }
    return redacted;
  };
  const copy = new Error(redact(error.message), { cause: redactError(error.cause, secrets) });
  copy.name = error.name;
  copy.stack = redact(error.stack ?? '');
  const { code } = error as { code?: unknown };
  return typeof code === 'string' ? Object.assign(copy, { code: redact(code) }) : copy;
}
