import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';

mkdirSync('dist', { recursive: true });
const generated = readdirSync('src/generated/contract/types');
writeFileSync('dist/types.json', JSON.stringify(generated.toSorted()));
