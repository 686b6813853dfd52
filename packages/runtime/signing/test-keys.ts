import type { KeyPairAlgorithm } from './key-pair-scheme.ts';

/** A key pair for tests only. Its private key is public. */
export interface TestKeyPair {
  readonly privateKey: string;
  readonly publicKey: string;
}

const p256: TestKeyPair = {
  privateKey: `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgTvniKmse/7nA8P9x
RRQ7Xy4cKYhBgqDFYP+zWx7MtQKhRANCAATSSwlmYoRqzTrGkevCmsHjILLIGa2d
Q9ZZwm3NCLRiHZ6LY5T1ddM293csgu8JFBwK2wZTm9Y3LBjVIg2A3s7K
-----END PRIVATE KEY-----
`,
  publicKey: `-----BEGIN PUBLIC KEY-----
MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE0ksJZmKEas06xpHrwprB4yCyyBmt
nUPWWcJtzQi0Yh2ei2OU9XXTNvd3LILvCRQcCtsGU5vWNywY1SINgN7Oyg==
-----END PUBLIC KEY-----
`,
};

const rsa: TestKeyPair = {
  privateKey: `-----BEGIN PRIVATE KEY-----
MIIEvgIBADANBgkqhkiG9w0BAQEFAASCBKgwggSkAgEAAoIBAQDGuvlXUJWBNf9l
kSPOmTIYmjVm6adB5jiJIPMSVIK4Ph1ZsP24gClb0u2QC+IuktLXsrDhWxK6gPJG
wdOUramg2X+M59Vj7lW0Y8gX7pOOyD18md/xKI94pR4Jo5TJNRf+XSt1VGwr1/QM
W81PTnfyQvMWvAnGbhcVma5fNpdCYlqWiCJn9r+0fnj3/fmK5JTyWzHYpUv9WwXP
SD6kTV9jVtnoEdZ2hjCKmHQmx3yM5AgZzo/z88GGU3uqtCA213HWo2+JEbdEqxA+
plx7FcvP6hUWsiwBYZaZUVaQUC56mURrkcZ4fgl/DzD7htZvumoNOr8Hr14mnu3T
BTLYyLz1AgMBAAECggEACYqPjxgg3W/Ev9EcmX40cAbzWmoMbDcL7tWEphQlpIfi
69v6CoIoui5h1oEjjl3hPpbnNCKlvwuS1j/XEzPVSZI3tAGrdp1KQxtpT3DWZ8wI
W7Odk1wBq2auDwNqEND6Qm2huQPhH6fCIVfE/zJCwwBg4G4NwBeoBxL2Ur7xuy+c
24xLE2c/LRuBPEyNVFNXf78cDdGHpyEHxdmbQMIxLH+rIWQwsTVbsfvC1qlK/peF
IutePXYS2IdN2txjNOOdynwY22n2DlKOh553uGbT8UCBSogh7vdAEOrbtm8tjGHN
UkMkoovVnQ+OoaR0iGRaVkHz44TngBykARn7QbqcfwKBgQD/UxfqchEZs5DrOZoB
MuDRFTWFfaG3ZWn1BYjAMzbEn3Sy59q8IRkMDM8bpOsJ2T9Fd+rJJHDVdouuhTw3
KCWOik1w7yHfktdLhixvyb8ZGI+7S72Bs1oyJNzkeTsx1uYIk2apCCRDKMUjhT24
McXMHLEWMOuVgtvM/sDoF4od0wKBgQDHQY4G7MyVQVm8Io/vUqGJcKT6Q4jkO3X5
u3A9m86QyHPRPgXfhLu0JU+QXg1Kzcy68uItVqAQlYZGcOkJS1KZsxpezxR1BbNR
VmWOkc7CAWUgolz4zzbIOsbP9MHButGQiQH+6dLypXBbjTjfXOwjCTT+Bn/YqpXC
rPiOogNVFwKBgQCPgEI20Hlv+o5+xlcaSWA14ze7mUqk6ujMf5nGfIJRrFVIoCs+
BVQwg5p7rQs089ct0iIxfru0HfaP1e5sCbJiFLVFvgFJyRwcJIMhKUCweC+AUydl
mEofWLyV5NUyQ9fyBfZzFlJbNLToK+Duf3ruJ0oYcNJXq76hzqTZTTGhZQKBgCVk
tQ2xpNch04BOECr+m9gaLqvUvrzuN76tIWw+cC6Vn76V4C5JT5yIH/1c2Su/oXs4
F6AgkJtsJC3WBLW8z/yOMxW10QYBEtzh1N9Dl8Sq1FqifcYnxQUgmqzuJup/b9Kr
E5fOM8tbptFXmGO6oYoVsT824wk7Qi2tnlvOJcfzAoGBAMwyjFlZoadB785UB/sp
Y3LsTiuahNaQgsz+ULIEPLUj/CpJgRRqrFbHBJuuRfNtIyq0X/yElGOg2mFRiVPh
pFlT0d76zCHv00tmOSmZwZS9/0dSMjE5BVN7sAVm6VDGYImB300bZyZPRcGlLJHv
/ishm2FO5NOiD5W1jmUDvwXp
-----END PRIVATE KEY-----
`,
  publicKey: `-----BEGIN PUBLIC KEY-----
MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEAxrr5V1CVgTX/ZZEjzpky
GJo1ZumnQeY4iSDzElSCuD4dWbD9uIApW9LtkAviLpLS17Kw4VsSuoDyRsHTlK2p
oNl/jOfVY+5VtGPIF+6Tjsg9fJnf8SiPeKUeCaOUyTUX/l0rdVRsK9f0DFvNT053
8kLzFrwJxm4XFZmuXzaXQmJalogiZ/a/tH549/35iuSU8lsx2KVL/VsFz0g+pE1f
Y1bZ6BHWdoYwiph0Jsd8jOQIGc6P8/PBhlN7qrQgNtdx1qNviRG3RKsQPqZcexXL
z+oVFrIsAWGWmVFWkFAueplEa5HGeH4Jfw8w+4bWb7pqDTq/B69eJp7t0wUy2Mi8
9QIDAQAB
-----END PUBLIC KEY-----
`,
};

/** The bytes of the Ed25519 key. Those of the private key are a text that states what it is for. */
export const ed25519TestBytes: TestKeyPair = {
  privateKey: '61206b657920666f7220746573747320616e64206e6f7468696e6720656c7365',
  publicKey: '8569e4459196b6b2a214c256f6992944a1608f6daf851a82d2d935ae8be4d0b9',
};

/** The key pairs of test vectors, in PEM. They are the same in each run, so that the vectors are too. */
export const testKeyPairs: Readonly<Record<KeyPairAlgorithm, TestKeyPair>> = {
  ed25519: {
    privateKey: `-----BEGIN PRIVATE KEY-----
MC4CAQAwBQYDK2VwBCIEIGEga2V5IGZvciB0ZXN0cyBhbmQgbm90aGluZyBlbHNl
-----END PRIVATE KEY-----
`,
    publicKey: `-----BEGIN PUBLIC KEY-----
MCowBQYDK2VwAyEAhWnkRZGWtrKiFMJW9pkpRKFgj22vhRqC0tk1rovk0Lk=
-----END PUBLIC KEY-----
`,
  },
  'ecdsa-p256-sha256': p256,
  'rsa-pss-sha256': rsa,
  'rsa-v1_5-sha256': rsa,
};
