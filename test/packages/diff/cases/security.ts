import type { Draft, Mutation } from '../parcels.ts';
import { type Case, put } from './case.ts';

const hook = (change: (scheme: Draft) => void): Mutation => ({
  asyncapi: (d) => change(d.components.securitySchemes.hook),
});
const sign = (change: (signature: Draft) => void): Mutation =>
  hook((scheme) => change(scheme['x-signature']));

/** Changes of security schemes. */
export const security: readonly Case[] = [
  {
    code: 'security-scheme-added',
    after: {
      openapi: (d) => {
        d.components.securitySchemes.extra = { type: 'apiKey', in: 'header', name: 'x-extra' };
        d.paths['/things/{id}'].put.security.push({ extra: [] });
      },
    },
    effects: { request: 'nobody' },
    also: ['security-relaxed'],
  },
  {
    code: 'security-scheme-removed',
    before: {
      openapi: (d) => {
        d.components.securitySchemes.extra = { type: 'apiKey', in: 'header', name: 'x-extra' };
        d.paths['/things/{id}'].put.security.push({ extra: [] });
      },
    },
    after: {},
    effects: { request: 'upgrade' },
    also: ['security-tightened'],
  },
  {
    code: 'security-scheme-changed',
    after: { openapi: (d) => (d.components.securitySchemes.key.name = 'x-api-key') },
    effects: { request: 'both' },
  },
  {
    code: 'signature-added',
    before: hook((scheme) => delete scheme['x-signature']),
    after: {},
    effects: { notification: 'both' },
    also: ['question-added'],
  },
  {
    code: 'signature-removed',
    after: hook((scheme) => delete scheme['x-signature']),
    effects: { notification: 'upgrade' },
    also: ['question-removed'],
  },
  ...(
    [
      (s: Draft) => (s.algorithm = 'hmac-sha512'),
      (s: Draft) => (s.over = ['$request.header.x-time', { text: '.' }, '$request.body']),
      (s: Draft) => (s.encoding = 'base64'),
      (s: Draft) => (s.value = 'v1={signature}'),
      (s: Draft) => (s.key.prefix = 'whsec_'),
      (s: Draft) => (s.timestamp.format = 'unix-milliseconds'),
    ] as const
  ).map((change): Case => ({
    code: 'signature-changed',
    after: sign(change),
    effects: { notification: 'today' },
  })),
  {
    code: 'tolerance-tightened',
    after: sign((s) => (s.timestamp.tolerance = 60)),
    effects: { notification: 'today' },
  },
  {
    code: 'tolerance-loosened',
    after: sign((s) => (s.timestamp.tolerance = 600)),
    effects: { notification: 'nobody' },
  },
  {
    code: 'credential-renamed',
    after: sign((s) => (s.key.credential = 'webhookSecret')),
    effects: { notification: 'upgrade' },
  },
  {
    code: 'access-token-changed',
    before: put((o) => (o.security = [{ bearer: [] }])),
    after: {
      openapi: (d) => {
        d.paths['/things/{id}'].put.security = [{ bearer: [] }];
        d.components.securitySchemes.bearer['x-access-token'].value = 'Token {token}';
      },
    },
    effects: { request: 'today' },
  },
];
