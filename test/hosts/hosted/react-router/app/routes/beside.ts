export const loader = (): Response => new Response('beside');
export const action = loader;
