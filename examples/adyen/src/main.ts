import { createApp } from './app.ts';

const { ADYEN_HMAC_KEY: key = '', PORT: port = '3000' } = process.env;

createApp([key], console.log).listen(Number(port), '127.0.0.1');
