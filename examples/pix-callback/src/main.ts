import { readFileSync } from 'node:fs';
import { createApp } from './app.ts';

const { SERVER_CERT = '', SERVER_KEY = '', BANK_CA = '', BANK_NAME = '' } = process.env;
const { PIX_KEY: ownKey = '', PORT: port = '8443' } = process.env;

const tls = {
  cert: readFileSync(SERVER_CERT),
  key: readFileSync(SERVER_KEY),
  ca: readFileSync(BANK_CA),
};

createApp({ tls, bank: { CN: BANK_NAME }, ownKey }, console.log).listen(Number(port));
