import { onCreated } from '../handlers/created.ts';
import { onMoved } from '../handlers/moved.ts';

export const kinds = { parcels: { created: onCreated, moved: onMoved } };
