import { createSimulator } from '@countersign/simulator';
import { createNodeMiddleware, Webhooks } from '@octokit/webhooks';
import { expect, it, onTestFinished } from 'vitest';
import { documentFile, overlayFile } from '../../../targets/webhooks/octokit/read-document.ts';
import { listenForTest } from '../send/listen.ts';
import { createCachedFolder, load } from './project.ts';

const secret = 'a secret of two parties';

const ignore = (): void => undefined;
const silent = { debug: ignore, info: ignore, warn: ignore, error: ignore };

it("starts the service of GitHub's webhooks, whose own library takes what it sends", async () => {
  const folder = await createCachedFolder();
  const { service, diagnostics } = await load(folder, {
    openapi: documentFile,
    overlays: [overlayFile],
  });
  expect(diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
  if (service === undefined) throw new Error('The service was not loaded.');
  expect(service.notifications).toHaveLength(261);
  // The schemas of these two accept no value: a member is both required and impossible.
  const without = service.notifications.filter(
    ({ name }) => service.samples.payloads[name] === undefined,
  );
  expect(without.map(({ name }) => name)).toEqual([
    'repositoryAdvisoryPublished',
    'repositoryAdvisoryReported',
  ]);

  const webhooks = new Webhooks({ secret, log: silent });
  const received: string[] = [];
  webhooks.onAny(({ name, payload }) => {
    const { action } = payload as { readonly action?: string };
    received.push(action === undefined ? name : `${name}-${action}`);
  });
  const to = await listenForTest(createNodeMiddleware(webhooks, { path: '/' }));
  const simulator = await createSimulator(service, { to, authentication: { key: secret } });
  onTestFinished(() => simulator.close());
  const kinds = [
    ['push', 'push'],
    ['issuesOpened', 'issues-opened'],
    ['pullRequestClosed', 'pull_request-closed'],
    ['starCreated', 'star-created'],
    ['workflowRunCompleted', 'workflow_run-completed'],
  ] as const;
  for (const [index, [kind]] of kinds.entries()) {
    const headers = { 'x-github-delivery': `00000000-0000-4000-8000-00000000000${index}` };
    const { state, attempts } = await simulator.trigger(kind, { headers });
    expect({ kind, state, answer: attempts[0]?.response }).toMatchObject({
      kind,
      state: 'acknowledged',
    });
  }
  expect(received).toEqual(kinds.map(([, name]) => name));
  const forged = await simulator.trigger('push', {
    headers: { 'x-github-delivery': '00000000-0000-4000-8000-000000000009' },
    faults: ['wrong-signature'],
  });
  expect(forged.attempts[0]?.response?.status).toBe(400);
  expect(received).toHaveLength(kinds.length);

  const again = await load(folder, { openapi: documentFile, overlays: [overlayFile] });
  expect(again.steps).toEqual([]);
  expect(again.service?.notifications).toHaveLength(261);
}, 300_000);
