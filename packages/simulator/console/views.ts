/** The views of the console, in the order of their keys. */
export const views = ['timeline', 'send', 'controls', 'workflows', 'chart'] as const;

/** A view of the console. */
export type View = (typeof views)[number];
