/** The name of the generated package with the code that other generated packages run, and of its folder. */
export const runtimePackage = 'runtime';
