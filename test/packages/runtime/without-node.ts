/** Runs an action as on a platform without modules of Node, such as a browser. */
export function withoutNode<Result>(action: () => Result): Result {
  const restore = removeNode();
  try {
    return action();
  } finally {
    restore();
  }
}

/**
 * Makes this platform one without modules of Node, such as a browser.
 * @returns the function that restores it
 */
export function removeNode(): () => void {
  const { getBuiltinModule } = process;
  Object.assign(process, { getBuiltinModule: undefined });
  return () => {
    Object.assign(process, { getBuiltinModule });
  };
}
