/** What `wrangler types` writes of a Worker's settings. */
interface Env {
  readonly WEBHOOK_SECRET: string;
}
