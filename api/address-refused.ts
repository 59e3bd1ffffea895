import { ServiceError } from '../primitives/errors.ts'

/** An address from options; `name` is the name of the port's option. */
export type Address = { readonly name: string; readonly host: string; readonly port: number }

/** Causes by the code of the operating system. */
const CAUSES: Readonly<Record<string, string>> = {
  EADDRINUSE: 'another process listens there',
  EADDRNOTAVAIL: 'this machine has no such address',
  EACCES: 'this user may not listen there',
  ENOTFOUND: 'the name has no address',
}

/** Builds the error for an address that is in use or may not be listened at. */
export function addressRefused({ name, host, port }: Address, error: NodeJS.ErrnoException): ServiceError {
  const cause = CAUSES[error.code ?? ''] ?? error.message
  return new ServiceError(
    'VALIDATION_USAGE_INVALID',
    `${name} is ${port} at ${host}: ${cause}; allowed: a free port of an address of this machine (--${name} 0 finds one)`,
    { host, [name]: String(port) },
  )
}
