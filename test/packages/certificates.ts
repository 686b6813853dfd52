// oxlint-disable-next-line import/no-unassigned-import -- @peculiar/x509 fails without this polyfill
import 'reflect-metadata';
import {
  BasicConstraintsExtension,
  SubjectAlternativeNameExtension,
  X509CertificateGenerator,
  type JsonGeneralNames,
} from '@peculiar/x509';

/** A certificate and its private key, as PEM. */
export interface Issued {
  readonly cert: string;
  readonly key: string;
}

/** A certificate authority of one test. */
export interface Authority {
  /** Its own certificate, as PEM. */
  readonly cert: string;
  /** Issues a certificate for a client or a server. Without `notAfter`, it is valid for an hour. */
  readonly issue: (options: {
    readonly subject: string;
    readonly names?: JsonGeneralNames;
    readonly notBefore?: Date;
    readonly notAfter?: Date;
  }) => Promise<Issued>;
}

const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const;
const hour = 3_600_000;

/** Creates an authority that only the programs of a test trust. */
export async function createAuthority(subject = 'CN=Authority of a test'): Promise<Authority> {
  const keys = await createKeys();
  const notBefore = new Date(Date.now() - hour);
  const certificate = await X509CertificateGenerator.createSelfSigned({
    name: subject,
    keys,
    notBefore,
    notAfter: new Date(Date.now() + hour),
    signingAlgorithm: algorithm,
    extensions: [new BasicConstraintsExtension(true, undefined, true)],
  });
  return {
    cert: certificate.toString('pem'),
    async issue({ subject: name, names, ...validity }) {
      const { publicKey, privateKey } = await createKeys();
      const issued = await X509CertificateGenerator.create({
        subject: name,
        issuer: certificate.subject,
        notBefore,
        notAfter: new Date(Date.now() + hour),
        ...validity,
        publicKey,
        signingKey: keys.privateKey,
        signingAlgorithm: algorithm,
        extensions: names === undefined ? [] : [new SubjectAlternativeNameExtension(names)],
      });
      return { cert: issued.toString('pem'), key: await toPem(privateKey) };
    },
  };
}

const createKeys = async (): Promise<CryptoKeyPair> =>
  await crypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);

async function toPem(key: CryptoKey): Promise<string> {
  const text = Buffer.from(await crypto.subtle.exportKey('pkcs8', key)).toString('base64');
  const lines = text.match(/.{1,64}/gu) ?? [];
  return `-----BEGIN PRIVATE KEY-----\n${lines.join('\n')}\n-----END PRIVATE KEY-----\n`;
}
