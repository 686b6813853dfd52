import type { Handlers } from '@parcels/webhooks-node';
import { onCreated } from './handlers/created.ts';
import { onMoved } from './handlers/moved.ts';

/** Who gets what. */
const all: Handlers = Object.freeze({
  created: onCreated,
  moved: onMoved,
}) as Handlers;

export { all as handlers };
