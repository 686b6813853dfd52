/** A key of `node:crypto`, which does not expose its bytes. */
interface NodeKey {
  readonly type: string;
}

/** What keys and signatures need of `node:crypto`. */
interface NodeCrypto {
  /** Absent before Node 20.12, and on platforms that imitate an older Node. */
  readonly hash?: (
    algorithm: string,
    data: string | Uint8Array,
    encoding: 'base64' | 'base64url' | 'hex' | 'latin1',
  ) => string;
  readonly createHmac: (algorithm: string, key: NodeKey) => NodeHmac;
  readonly createSecretKey: (bytes: Uint8Array) => NodeKey;
  readonly timingSafeEqual: (a: Uint8Array, b: Uint8Array) => boolean;
  readonly createPrivateKey: (key: object) => NodeKey;
  readonly createPublicKey: (key: object) => NodeKey;
  readonly sign: (algorithm: string | null, data: Uint8Array, key: object) => Uint8Array;
  readonly verify: (
    algorithm: string | null,
    data: Uint8Array,
    key: object,
    signature: Uint8Array,
  ) => boolean;
  readonly constants: {
    readonly RSA_PKCS1_PADDING: number;
    readonly RSA_PKCS1_PSS_PADDING: number;
  };
}

interface NodeHmac {
  update(data: string, encoding: 'latin1'): void;
  update(data: Uint8Array): void;
  digest(encoding: 'base64' | 'base64url' | 'hex'): string;
}

/** Bytes that texts are written into, as `Buffer` of `node:buffer`. */
interface NodeBytes extends Uint8Array<ArrayBuffer> {
  write(text: string, encoding: 'utf8' | 'latin1'): number;
  write(text: string, offset: number, encoding: 'latin1'): number;
}

interface NodeBuffer {
  readonly Buffer: {
    readonly alloc: (length: number) => NodeBytes;
    readonly allocUnsafeSlow: (length: number) => NodeBytes;
  };
}

interface NodeNet {
  readonly isIP: (text: string) => number;
  readonly BlockList: new () => {
    readonly addAddress: (address: string, family: string) => void;
    readonly addSubnet: (address: string, bits: number, family: string) => void;
    readonly check: (address: string, family: string) => boolean;
  };
}

/** The modules of Node that the runtime uses, by their names. Their types need no package with the types of Node. */
export interface NodeModules {
  readonly 'node:buffer': NodeBuffer;
  readonly 'node:crypto': NodeCrypto;
  readonly 'node:net': NodeNet;
}

/**
 * Returns a module of Node, or `undefined` if the platform lacks it: browsers, most Workers, and Node before 20.16. No
 * file imports such a module, so that the same file loads everywhere.
 */
export function builtinModule<Name extends keyof NodeModules>(
  name: Name,
): NodeModules[Name] | undefined {
  const { process } = globalThis as {
    readonly process?: { readonly getBuiltinModule?: (name: string) => unknown };
  };
  return process?.getBuiltinModule?.(name) as NodeModules[Name] | undefined;
}
