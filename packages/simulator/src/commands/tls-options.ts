/** The options with the certificates of deliveries, whose files `readTlsFiles` reads. */
export const tlsOptions = {
  cert: ['--client-cert <file>', 'the client certificate of deliveries (PEM)'],
  key: ['--client-key <file>', 'its private key (PEM)'],
  ca: ['--ca <file>', 'the authority of the certificate of the receiver (PEM)'],
} as const;
