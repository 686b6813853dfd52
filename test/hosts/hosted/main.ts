import { writeFile } from 'node:fs/promises';
import { run } from '../suite.js';
import { serve } from './serve.ts';

const [, , report = '', suites = ''] = process.argv;
await writeFile(report, JSON.stringify(await run(await serve(), suites.split(','))));
process.exit();
