import type { Handlers } from '@parcels/webhooks-node';
import { onCreated } from './handlers/created.ts';
import { onMoved } from './handlers/moved.ts';
import { onLost } from './handlers/lost.ts';
import { onReturned } from './handlers/returned.ts';

/** Who gets what. */
const all: Handlers = Object.freeze({
  created: onCreated,
  moved: onMoved,
  lost: onLost,
  returned: onReturned,
}) as Handlers;

export { all as handlers };
