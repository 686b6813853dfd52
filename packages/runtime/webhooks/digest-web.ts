/** Returns the SHA-256 digest of a text in Base64. */
export async function digest(text: string): Promise<string> {
  const hashed = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
  return btoa(String.fromCharCode(...new Uint8Array(hashed)));
}
