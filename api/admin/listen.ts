import { once } from 'node:events'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Address, addressRefused } from '../../primitives/address-refused.ts'

/**
 * Starts listening.
 * @returns host and port in use
 * @throws {ServiceError} VALIDATION_USAGE_INVALID: the address is taken or may not be listened at
 */
export async function listen(server: Server, begin: () => Promise<unknown>, address: Address): Promise<string> {
  const { host } = address
  try {
    await begin()
  } catch (error) {
    throw addressRefused(address, error as Error)
  }
  const { port: listened } = server.address() as AddressInfo
  return `${host.includes(':') ? `[${host}]` : host}:${listened}`
}

/** Starts an admin server. @returns the address of its metrics */
export async function listenForMetrics(admin: Server, address: Address): Promise<string> {
  const place = await listen(admin, () => once(admin.listen(address.port, address.host), 'listening'), address)
  return `http://${place}/metrics`
}
