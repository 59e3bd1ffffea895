/** Methods of the API's endpoints. */
export const METHODS = ['GET', 'POST', 'PUT'] as const
export type Method = (typeof METHODS)[number]
