import { Buffer } from 'buffer';

const { toString } = Buffer.prototype;

// The encoding that this stand-in for Node's own class lacks.
Buffer.prototype.toString = function (this: Buffer, encoding?: string, ...range): string {
  if (encoding !== 'base64url') return toString.call(this, encoding, ...range);
  const text = toString.call(this, 'base64', ...range);
  return text.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
};

export { Buffer };
