import type { Client, Connection } from '@temporalio/client'
import { ServiceError } from '../../primitives/errors.ts'
import { SEARCH_ATTRIBUTES } from '../search-attributes.ts'

const KEYWORD = 2 // temporal.api.enums.v1.IndexedValueType.INDEXED_VALUE_TYPE_KEYWORD

/**
 * Registers the custom search attributes that a namespace does not have.
 * @throws {ServiceError} SERVICE_UNAVAILABLE: this client may not register them; the message says what an administrator does
 */
export async function ensureSearchAttributes(client: Client): Promise<void> {
  const { namespace } = client.options
  const { operatorService } = client.connection as Connection
  try {
    const { customAttributes } = await operatorService.listSearchAttributes({ namespace })
    const missing = SEARCH_ATTRIBUTES.filter((name) => !(name in customAttributes))
    if (missing.length === 0) return
    const searchAttributes = Object.fromEntries(missing.map((name) => [name, KEYWORD]))
    await operatorService.addSearchAttributes({ namespace, searchAttributes })
  } catch (error) {
    if (!isDenied(error)) throw error
    const command = `temporal operator search-attribute create --namespace ${namespace} ${SEARCH_ATTRIBUTES.map(
      (name) => `--name ${name} --type Keyword`,
    ).join(' ')}`
    const text = `namespace ${namespace} lacks a search attribute, and this client may not register it; allowed: once \`${command}\` by an administrator`
    throw new ServiceError('SERVICE_UNAVAILABLE', text, { namespace }, error)
  }
}

/**
 * Starts a workflow that has search attributes; registers them first where the namespace turns out not to have them, which no
 * worker with rights may have done.
 * @throws as ensureSearchAttributes; what the start throws
 */
export async function startWithAttributes<T>(client: Client, start: () => Promise<T>): Promise<T> {
  try {
    return await start()
  } catch (error) {
    if (!lacksAttribute(error)) throw error
    await ensureSearchAttributes(client)
    return await soon(start)
  }
}

/** New attributes are known to every part of a server after some moments. */
async function soon<T>(start: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await start()
    } catch (error) {
      if (!lacksAttribute(error) || attempt === ATTEMPTS_MAX) throw error
      await new Promise((resolve) => setTimeout(resolve, AGAIN_MS))
    }
  }
}

const ATTEMPTS_MAX = 40
const AGAIN_MS = 250

const PERMISSION_DENIED = 7 // grpc.status
const UNAUTHENTICATED = 16

function isDenied(error: unknown): boolean {
  const { code } = error as { readonly code?: unknown }
  return code === PERMISSION_DENIED || code === UNAUTHENTICATED
}

function lacksAttribute(error: unknown): boolean {
  const cause = error instanceof Error ? error.cause : null
  const text = `${error} ${cause}`
  return /search attribute/i.test(text) && /no mapping|not valid|not defined|invalid/i.test(text)
}
