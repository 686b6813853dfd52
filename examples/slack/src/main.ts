import { createApp } from './app.ts';

const { SLACK_SIGNING_SECRET: secret = '', PORT: port = '3000' } = process.env;

await createApp([secret], console.log).listen({ port: Number(port), host: '127.0.0.1' });
