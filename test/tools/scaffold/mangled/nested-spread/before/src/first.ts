import { onCreated } from './handlers/created.ts';

const first = { created: onCreated } as const;

export default first;
