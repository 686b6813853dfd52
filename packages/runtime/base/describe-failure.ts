/** What can be shown of an error. It contains no message, because messages can contain secrets and personal data. */
export interface FailureDescription {
  /** The class of the error and its code, followed by those of its causes, such as `TypeError, caused by Error [EPIPE]`. */
  readonly name: string;
  /** The first frame of the stack that is not in the runtime's own code. */
  readonly frame: string | undefined;
}

/** Maximum number of errors to describe: an error, its cause, and the cause of that. */
const maxErrors = 3;

/** Maximum number of characters of a frame. */
const maxFrameLength = 300;

/** Describes what was thrown, which can be any value. Never throws. */
export function describeFailure(thrown: unknown): FailureDescription {
  const names: string[] = [];
  let error = thrown;
  do {
    names.push(nameOf(error));
    error = memberOf(error, 'cause');
  } while (error !== undefined && names.length < maxErrors);
  return { name: names.join(', caused by '), frame: firstFrame(thrown) };
}

function nameOf(error: unknown): string {
  if (typeof error !== 'object' || error === null)
    return `a thrown ${error === null ? 'null' : typeof error}`;
  const ofClass = textOf(memberOf(error, 'constructor'), 'name', identifier);
  const ofError = textOf(error, 'name', identifier);
  // The class can say less than the error, or a bundler can have shortened it.
  const name = [ofClass, ofError].find((text) => text.length > 2 && text !== 'Error');
  const code = textOf(error, 'code', /^[\w.:-]{1,64}$/);
  return (name ?? (ofClass || ofError || 'object')) + (code && ` [${code}]`);
}

const identifier = /^[\p{L}_$][\p{L}\p{N}_$]{0,63}$/u;

/** Returns a member that is an integer or a text and matches the pattern; otherwise the empty text. */
function textOf(value: unknown, name: string, pattern: RegExp): string {
  const member = memberOf(value, name);
  const text = typeof member === 'string' || Number.isSafeInteger(member) ? String(member) : '';
  return pattern.test(text) ? text : '';
}

/** Returns a member of any value; `undefined` where it has none, or reading it fails. */
function memberOf(value: unknown, name: string): unknown {
  try {
    return (value as Readonly<Record<string, unknown>>)[name];
  } catch {
    return undefined;
  }
}

/**
 * Returns the first frame of the stack outside of the runtime. A stack begins with class and message, and a message can
 * contain lines that look like frames. Returns `undefined` where the end of the message is not certain.
 */
function firstFrame(error: unknown): string | undefined {
  const stack = memberOf(error, 'stack');
  const message = memberOf(error, 'message');
  if (typeof stack !== 'string' || typeof message !== 'string') return undefined;
  // A class, and in errors of Node the code.
  const [head = ''] = /^[\p{L}\p{N}_$.]+(?: \[[\w.:-]+\])?(?:: )?/u.exec(stack) ?? [];
  if (head.endsWith(': ') === (message === '') || !stack.startsWith(message, head.length))
    return undefined;
  const start = head.length + message.length;
  const [frames = ''] = /^(?:\n +at .+)+/.exec(stack.slice(start, start + 4096)) ?? [];
  const outsideOfRuntime = /^ +at (?!(?:.*\()?(?:async )?(?:node|ext|bun|native):)(.+:\d+\)?)$/m;
  const [, frame] = outsideOfRuntime.exec(frames) ?? / at (.+)/.exec(frames) ?? [];
  return frame?.slice(0, maxFrameLength).replaceAll(/\p{C}/gu, '?');
}
