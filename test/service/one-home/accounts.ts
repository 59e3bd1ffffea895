import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createTradingClient, type TradingClient } from '../../../client/index.ts'
import type { SandboxPlan } from '../../../service/sandbox/sandbox-plan.ts'
import { until } from '../../support/service-process.ts'
import type { Running } from './running.ts'

type Account = SandboxPlan['taker']

/** Returns the accounts that a sandbox keeps in its home. */
export function planOf({ home }: Running): SandboxPlan {
  return JSON.parse(readFileSync(join(home, 'sandbox/accounts.json'), 'utf8')) as SandboxPlan
}

/** Returns a client of an account, at the service that runs now. */
export function clientOf({ service }: Running, account: Account): TradingClient {
  const { account_id, key_id, secret, owner_private_key } = account
  const { base_url, environment } = service().ready
  const key = { account_id, key_id, secret, base_url, environment }
  return createTradingClient({ ...key, signer_private_key: owner_private_key })
}

/** Returns all items of a list, page by page. */
export async function itemsOf<T>(items: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = []
  for await (const item of items) found.push(item)
  return found
}

/** Returns the ids of the working orders of an account. */
export async function workingOrders(running: Running, account: Account): Promise<string[]> {
  const found: string[] = []
  for (const status of ['open', 'partially_filled']) {
    for await (const order of clientOf(running, account).orders({ status })) found.push(order.order_id)
  }
  return found
}

/** Waits until both makers rest orders in every market. */
export async function booksAlive(running: Running): Promise<void> {
  const { makers } = planOf(running)
  const resting = () => Promise.all(makers.map((maker) => workingOrders(running, maker)))
  const areAlive = async () => (await resting()).every((ids) => ids.length >= 40)
  await until(areAlive, 120_000, running.service().notes)
}
