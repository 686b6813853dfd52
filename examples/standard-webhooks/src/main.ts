import { serve } from '@hono/node-server';
import { createApp } from './app.ts';

const { WEBHOOK_SECRET: secret = '', PORT: port = '3000' } = process.env;

serve({ fetch: createApp([secret], console.log).fetch, port: Number(port), hostname: '127.0.0.1' });
