import { createApp } from './app.ts';

const { STRIPE_ENDPOINT_SECRET: secret = '', PORT: port = '3000' } = process.env;

createApp([secret], console.log).listen(Number(port), (error) => {
  if (error !== undefined) throw error;
});
