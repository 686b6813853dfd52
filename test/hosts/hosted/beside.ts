const beside = (): Response => new Response('beside');

export { beside as GET, beside as POST };
