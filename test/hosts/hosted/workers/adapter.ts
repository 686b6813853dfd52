import { toExportedHandler } from '@countersign/runtime/adapters/cloudflare';
import { webhooksOf } from './webhooks.ts';

export default toExportedHandler((env: Env) => webhooksOf(env).receive);
