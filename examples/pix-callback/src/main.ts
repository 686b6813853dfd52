import { readFileSync } from 'node:fs';
import { createApp } from './app.ts';

/** Returns the value of an environment variable that is required. */
function required(name: string): string {
  const value = process.env[name]?.trim() ?? '';
  if (value === '') {
    console.error(`The environment variable ${name} is missing or empty.`);
    process.exit(1);
  }
  return value;
}

const tls = {
  cert: readFileSync(required('SERVER_CERT')),
  key: readFileSync(required('SERVER_KEY')),
  ca: readFileSync(required('BANK_CA')),
};
const settings = { tls, bank: { CN: required('BANK_NAME') }, ownKey: required('PIX_KEY') };

const port = Number(process.env['PORT'] ?? 8443);
createApp(settings, console.log).listen(port, () => console.log(`listening on port ${port}`));
