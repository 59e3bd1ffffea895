import { ServiceError } from '../primitives/errors.ts'

/** An address as its options name it: `name` is that of the port's. */
export type Address = { readonly name: string; readonly host: string; readonly port: number }

/** What is told where an address is taken or may not be listened at. */
export function addressRefused({ name, host, port }: Address, error: Error): ServiceError {
  return new ServiceError(
    'VALIDATION_USAGE_INVALID',
    `${name} is ${port} at ${host}: ${error.message}; allowed: a free port of an address of this machine (--${name} 0 finds one)`,
    { host, [name]: String(port) },
  )
}
