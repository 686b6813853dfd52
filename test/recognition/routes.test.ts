import { expect, test } from 'vitest';
import {
  canHaveParameter,
  planRoutes,
  refusedSegment,
} from '../../generator/recognition/routes.ts';
import {
  createLabelTest,
  findRoute,
  pathSegments,
} from '../../packages/runtime/webhooks/contract.ts';

/** Segments as contracts write them, in which a sender writes what stands there. */
const segments = [
  'a',
  'ä',
  'a%20b',
  '%C3%A4',
  'a%25b',
  'a%23b',
  'a%3Fb',
  'a%3bb',
  'a.b',
  '...',
  'a;b',
  '%7Eb',
  '.',
  '..',
  '..;x',
  '%2e%2e',
  '%2E',
  'a%2fb',
  'a%5Cb',
  'a%0ab',
  'a%00',
  'a%7f',
  '%252e',
  '%255c',
  '%zz',
  '%',
  '%C3',
  '%2525',
  '%252525',
];

test.each(segments)(
  'the path of a label is refused, or a request to it has the label: %s',
  (segment) => {
    const path = `/orders/${segment}/paid`;
    const sent = pathSegments(path);
    expect(refusedSegment(path) === undefined).toBe(sent !== undefined);
    if (sent === undefined) return;
    const routes = planRoutes([{ name: 'paid', label: { method: 'POST', path } }]);
    expect(findRoute(routes, sent, 'POST', undefined)?.kinds).toEqual(['paid']);
    expect(createLabelTest([{ path }])(path)).toBe(true);
  },
);

test('text around a parameter is decoded, and the parameter too', () => {
  const path = '/a%20b-{id}%7E';
  const routes = planRoutes([{ name: 'paid', label: { path } }]);
  const sent = pathSegments('/a%20b-x%C3%A4~') ?? [];
  expect(findRoute(routes, sent, 'POST', undefined)?.parameters).toEqual({ id: 'xä' });
  expect(createLabelTest([{ path }])('/a%20b-x%C3%A4~')).toBe(true);
});

test.each([
  'paid',
  'a b',
  'a#b',
  'ä',
  '',
  '.',
  '..',
  '..;',
  'a/b',
  'a\\b',
  'a\nb',
  '%2e',
  '%25',
  '%zz',
  '100%',
])('a parameter has a value if a receiver reads it: %j', (value) => {
  for (const path of ['/a/{kind}', '/a/x-{kind}', '/a/{other}{kind}']) {
    const [, , template = ''] = path.split('/');
    const text = template.replace('{other}', 'x').replace('{kind}', encodeURIComponent(value));
    const [, segment] = pathSegments(`/a/${text}`) ?? [];
    const isRead = value !== '' && segment !== undefined;
    expect(canHaveParameter(path, 'kind', value), path).toBe(isRead);
  }
});
