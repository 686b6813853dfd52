import { loadConfig } from '../../generator/config/load-config.ts';

// Prints what a configuration has, in a process whose warnings a test reads.
process.stdout.write(JSON.stringify((await loadConfig(process.argv[2] ?? '')).configs));
