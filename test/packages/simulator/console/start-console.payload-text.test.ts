import { describe, expect, it } from 'vitest';
import { payloadOf, toLoadedText } from '../../../../packages/simulator/console/payload-text.ts';

const loaded = toLoadedText('{"amount":10000000000000000.01,"fee":1.10}');
const form = 'application/x-www-form-urlencoded';

describe('the payload of an edited text', () => {
  it('shows the amounts of a delivery as they were sent', () => {
    expect(loaded.text).toBe('{\n  "amount": 10000000000000000.01,\n  "fee": 1.10\n}');
  });

  it.each(['application/json', 'application/vnd.bank+json; charset=utf-8', ''])(
    'is the exact text of %j',
    (contentType) => {
      const edited = loaded.text.replace('1.10', '1.20');
      expect(payloadOf(edited, loaded, contentType, false)).toEqual({ rawBody: edited });
      // Only the server reports what is wrong: it knows the schema.
      expect(payloadOf('{', loaded, contentType, false)).toEqual({ rawBody: '{' });
    },
  );

  it('is that of the delivery where nothing was edited', () => {
    expect(payloadOf(loaded.text, loaded, 'application/json', false)).toEqual({
      rawBody: '{"amount":10000000000000000.01,"fee":1.10}',
    });
  });

  it('is a value for media types that the simulator encodes', () => {
    const text = '{"amount": "10000000000000000.01", "count": 2, "rate": -0.5}';
    expect(payloadOf(text, loaded, form, false)).toEqual({ payload: JSON.parse(text) });
    expect(() => payloadOf('a=1', loaded, form, false)).toThrow('The payload is not JSON.');
    expect(payloadOf('a=1', loaded, form, true)).toEqual({ rawBody: 'a=1' });
  });

  it.each(['10000000000000000.01', '1.10', '1e400', '-0'])(
    'is refused where the encoding would change the number %s',
    (number) => {
      const text = `{"note": "\\"9.90", "amount": ${number}}`;
      expect(() => payloadOf(text, loaded, form, true)).toThrow(
        `The number ${number} would be sent`,
      );
    },
  );
});
