import { ServiceError } from '../primitives/errors.ts'

/** An address from options; `name` is the name of the port's option. */
export type Address = { readonly name: string; readonly host: string; readonly port: number }

/** Builds the error for an address that is in use or may not be listened at. */
export function addressRefused({ name, host, port }: Address, error: Error): ServiceError {
  return new ServiceError(
    'VALIDATION_USAGE_INVALID',
    `${name} is ${port} at ${host}: ${error.message}; allowed: a free port of an address of this machine (--${name} 0 finds one)`,
    { host, [name]: String(port) },
  )
}
