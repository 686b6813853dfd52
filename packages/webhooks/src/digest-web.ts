/** SHA-256 in Base64url. */
export async function digest(content: string | Uint8Array): Promise<string> {
  const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content.slice();
  const hashed = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
  const text = btoa(String.fromCharCode(...hashed));
  return text.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}
