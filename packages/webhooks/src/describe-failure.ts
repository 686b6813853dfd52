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
  for (let error = thrown; names.length < maxErrors; error = memberOf(error, 'cause')) {
    names.push(nameOf(error));
    if (memberOf(error, 'cause') === undefined) break;
  }
  return { name: names.join(', caused by '), frame: firstFrame(thrown) };
}

function nameOf(error: unknown): string {
  if (typeof error !== 'object' || error === null) return `a thrown ${typeOf(error)}`;
  const name = classOf(error);
  const code = memberOf(error, 'code');
  const isCode =
    typeof code === 'string' ? /^[\w.:-]{1,64}$/u.test(code) : Number.isSafeInteger(code);
  return isCode ? `${name} [${String(code)}]` : name;
}

function typeOf(value: unknown): string {
  return value === null ? 'null' : typeof value;
}

/** Returns the name of the class, or that of the error where the class says less or a bundler shortened it. */
function classOf(error: object): string {
  const candidates = [memberOf(memberOf(error, 'constructor'), 'name'), memberOf(error, 'name')];
  const names = candidates.filter(
    (name): name is string =>
      typeof name === 'string' && /^[\p{L}_$][\p{L}\p{N}_$]{0,63}$/u.test(name),
  );
  return names.find((name) => name.length > 2 && name !== 'Error') ?? names[0] ?? 'object';
}

/** Returns a member of any value; `undefined` where it has none, or reading it fails. */
function memberOf(value: unknown, name: string): unknown {
  if ((typeof value !== 'object' && typeof value !== 'function') || value === null)
    return undefined;
  try {
    return Reflect.get(value, name);
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
  const head = /^[\p{L}\p{N}_$.]+(?: \[[\w.:-]+\])?(?:: )?/u.exec(stack)?.[0] ?? '';
  if (head.endsWith(': ') === (message === '') || !stack.startsWith(message, head.length))
    return undefined;
  const [rest, ...lines] = stack.slice(head.length + message.length).split('\n');
  if (rest !== '') return undefined;
  const frames: string[] = [];
  for (const line of lines) {
    const frame = /^\s+at (.+)$/u.exec(line)?.[1];
    if (frame === undefined) break;
    frames.push(frame);
  }
  const shown = frames.find((frame) => /:\d+\)?$/u.test(frame) && !isOfRuntime(frame)) ?? frames[0];
  return shown?.slice(0, maxFrameLength).replaceAll(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu, '?');
}

function isOfRuntime(frame: string): boolean {
  return /(?:^|\()(?:async )?(?:node|ext|bun|native):/u.test(frame);
}
