// Preloaded into a process: prints, when it ends, the URL of every module that it loaded.
import { writeFileSync } from 'node:fs';
import { registerHooks } from 'node:module';

const loaded: string[] = [];
registerHooks({
  load(url, context, nextLoad) {
    loaded.push(url);
    return nextLoad(url, context);
  },
});
process.on('exit', () => writeFileSync('loaded-modules.json', JSON.stringify(loaded)));
