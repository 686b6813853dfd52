export const found = false;
