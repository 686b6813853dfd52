/** The folder of the package below the output folder. */
export const packageFolder = 'contract';
