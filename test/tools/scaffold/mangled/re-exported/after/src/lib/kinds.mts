import { onCreated } from '../handlers/created.ts';
import { onMoved } from '../handlers/moved.ts';
import { onLost } from '../handlers/lost.ts';
import { onReturned } from '../handlers/returned.ts';

export const kinds = { parcels: { created: onCreated, moved: onMoved, lost: onLost, returned: onReturned } };
