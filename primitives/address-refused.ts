import { ServiceError } from './errors.ts'

/** An address from options; `name` is the name of the port's option. */
export type Address = {
  readonly name: string
  readonly host: string
  readonly port: number
  /** Option and value that find a free port; left out: the option with 0. */
  readonly finds?: string
}

/** Causes by the code of the operating system. */
const CAUSES: Readonly<Record<string, string>> = {
  EADDRINUSE: 'another process listens there',
  EADDRNOTAVAIL: 'this machine has no such address',
  EACCES: 'this user may not listen there',
  ENOTFOUND: 'the name has no address',
}

/** Builds the error for an address that is in use or may not be listened at. */
export function addressRefused(address: Address, error: NodeJS.ErrnoException): ServiceError {
  const { name, host, port, finds = `--${name} 0` } = address
  const cause = CAUSES[error.code ?? ''] ?? error.message
  return new ServiceError(
    'VALIDATION_USAGE_INVALID',
    `${name} is ${port} at ${host}: ${cause}; allowed: a free port of an address of this machine (${finds} finds one)`,
    { host, [name]: String(port) },
  )
}
