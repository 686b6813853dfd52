const beside = (): Response => new Response('beside');

export const prerender = false;
export { beside as GET, beside as POST };
