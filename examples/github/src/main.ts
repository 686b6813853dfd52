import { createApp } from './app.ts';

const { GITHUB_WEBHOOK_SECRET: secret = '', PORT: port = '3000' } = process.env;

createApp([secret], console.log).listen(Number(port), '127.0.0.1');
