import { createApp } from './app.ts';

const { STRIPE_ENDPOINT_SECRET: secret = '', PORT: port = '3000' } = process.env;

createApp([secret], console.log).listen(Number(port), '127.0.0.1', (error) => {
  if (error !== undefined) throw error;
});
