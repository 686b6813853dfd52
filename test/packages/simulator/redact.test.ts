import { describe, expect, it } from 'vitest';
import { Redactor } from '../../../packages/simulator/src/sending/redact.ts';

const secret = 'p+ss/w"rd {1}-é';

describe('a redactor', () => {
  it.each([
    ['plain', secret],
    ['in JSON', JSON.stringify(secret).slice(1, -1)],
    ['in a URL', encodeURIComponent(secret)],
    ['in a form', new URLSearchParams([['', secret]]).toString().slice(1)],
    ['in Base64', Buffer.from(secret).toString('base64')],
    ['in Base64 without padding', Buffer.from(secret).toString('base64url')],
  ])('replaces a secret %s', (_, form) => {
    expect(new Redactor([secret]).redact(`a ${form} b ${form}`)).toBe('a [redacted] b [redacted]');
  });

  it('replaces the longest secret first', () => {
    expect(new Redactor(['token', 'token-of-mine']).redact('token-of-mine token')).toBe(
      '[redacted] [redacted]',
    );
  });

  it('takes the characters of expressions literally', () => {
    const { redact } = new Redactor([String.raw`a.*\d$[x]^|{2}()+?-`]);
    expect(redact(String.raw`aXX a.*\d$[x]^|{2}()+?- b`)).toBe('aXX [redacted] b');
  });

  it('replaces secrets that are added later, and nothing that is too short', () => {
    const redactor = new Redactor(['abc', '']);
    expect(redactor.redact('abc defg')).toBe('abc defg');
    redactor.add('defg');
    expect(redactor.redact('abc defg')).toBe('abc [redacted]');
  });

  it('replaces shorter secrets, if they are asked for, but no empty text', () => {
    expect(new Redactor(['k', ''], 0).redact('ok')).toBe('o[redacted]');
  });

  it('replaces what a pattern describes', () => {
    const redactor = new Redactor(['later']);
    redactor.addPattern(/token-\d+/u);
    expect(redactor.redact('token-12 later')).toBe('[redacted] [redacted]');
  });

  it('changes nothing without secrets', () => {
    expect(new Redactor().redact('text')).toBe('text');
  });
});
